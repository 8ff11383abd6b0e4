"use strict";
(() => {
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const source = document.getElementById(button.dataset.copy);
      const text = [...source.querySelectorAll("code")].map((code) => code.textContent).join("\n") || source.textContent;
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = {{ say("copied_now") | tojson }};
      } catch {
        getSelection().selectAllChildren(source); // a page from a file may not write to the clipboard
      }
    });
  }
  const list = document.getElementById("segment-list");
  if (!list) return;
  const more = document.getElementById("more-segments");
  const control = (name) => document.getElementById("choose-" + name);
  const { names, places } = JSON.parse(document.getElementById("segment-orders").textContent);
  const articles = [...list.children];
  const plain = (text) => text.normalize("NFC").toLowerCase();
  const texts = articles.map((article) => plain(article.textContent));
  const value = (name) => control(name)?.value ?? "";

  function offer() { // the orders of the chosen metric
    const number = value("order") || "0";
    control("order").replaceChildren(...names[value("metric") || 0].map((name, index) => new Option(name, index)));
    control("order").value = number;
  }
  function show() {
    const metric = Number(value("metric"));
    const order = [...places[metric][Number(value("order"))]];
    if (control("reverse").checked) order.reverse();
    list.append(...order.map((index) => articles[index]));
    const wanted = plain(value("search")), group = value("group"), system = value("system");
    const limit = Number(list.dataset.limit);
    let found = 0;
    for (const index of order) {
      const fits = texts[index].includes(wanted) && (group === "" || articles[index].dataset.group === group);
      found += fits;
      articles[index].hidden = !fits || found > limit;
    }
    more.hidden = found <= limit;
    for (const part of list.querySelectorAll("[data-metric]")) part.hidden = Number(part.dataset.metric) !== metric;
    for (const part of list.querySelectorAll("[data-system]")) part.hidden = system !== "" && part.dataset.system !== system;
    const said = document.getElementById("segment-count");
    said.textContent = said.dataset.text.replace("{shown}", Math.min(found, limit)).replace("{all}", articles.length);
  }
  function reveal() { // a link to a segment that a filter hides
    const target = document.getElementById(location.hash.slice(1));
    if (target?.hidden) {
      for (const name of ["search", "group"]) if (control(name)) control(name).value = "";
      list.dataset.limit = articles.length;
      show();
      target.scrollIntoView();
    }
  }
  document.getElementById("controls").hidden = false;
  control("metric")?.addEventListener("change", () => { offer(); show(); });
  for (const name of ["order", "reverse", "group", "system"]) control(name)?.addEventListener("change", show);
  control("search").addEventListener("input", show);
  more.addEventListener("click", () => { list.dataset.limit *= 3; show(); });
  addEventListener("hashchange", reveal);
  offer();
  show();
  reveal();
})();
