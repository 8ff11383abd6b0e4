"use strict";
// The page is in English and has the other language beside each text: in data-other what an element says, in
// data-other-NAME what an attribute does.
function switchLanguage() {
  document.documentElement.lang = document.documentElement.lang === "en" ? "ko" : "en";
  for (const element of document.querySelectorAll("*")) {
    for (const { name, value } of [...element.attributes]) {
      if (!name.startsWith("data-other")) continue;
      const own = name.slice("data-other-".length);
      element.setAttribute(name, own ? element.getAttribute(own) : element.textContent);
      if (own) element.setAttribute(own, value);
      else element.textContent = value;
    }
  }
}
(() => {
  const language = document.getElementById("language");
  language.hidden = false;
  language.addEventListener("click", switchLanguage);
  if (navigator.languages.find((name) => /^(en|ko)\b/.test(name))?.startsWith("ko")) switchLanguage();
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const source = document.getElementById(button.dataset.copy);
      const text = [...source.querySelectorAll("code")].map((code) => code.textContent).join("\n") || source.textContent;
      try {
        await navigator.clipboard.writeText(text);
        button.dataset.done = "✓";
      } catch {
        getSelection().selectAllChildren(source); // a page from a file may not write to the clipboard
      }
    });
  }
  const list = document.getElementById("segment-list");
  if (!list) return;
  const more = document.getElementById("more-segments");
  const control = (name) => document.getElementById("choose-" + name);
  const places = JSON.parse(document.getElementById("segment-places").textContent);
  const articles = [...list.children];
  const plain = (text) => text.normalize("NFC").toLowerCase();
  const texts = articles.map((article) => plain(article.textContent));
  const value = (name) => control(name)?.value ?? "";

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
  for (const name of ["metric", "order", "reverse", "group", "system"]) control(name)?.addEventListener("change", show);
  control("search").addEventListener("input", show);
  more.addEventListener("click", () => { list.dataset.limit *= 3; show(); });
  addEventListener("hashchange", reveal);
  language.addEventListener("click", show);
  show();
  reveal();
})();
