"use strict";
// The page is in English and has the other language beside each text: in data-other what an element says, in
// data-other-NAME what an attribute does.
function translate(root) {
  for (const element of [root, ...root.querySelectorAll("*")]) {
    for (const { name, value } of [...element.attributes]) {
      if (!name.startsWith("data-other")) continue;
      const own = name.slice("data-other-".length);
      element.setAttribute(name, own ? element.getAttribute(own) : element.textContent);
      if (own) element.setAttribute(own, value);
      else element.textContent = value;
    }
  }
}
const speaks = () => document.documentElement.lang;
function switchLanguage() {
  document.documentElement.lang = speaks() === "en" ? "ko" : "en";
  translate(document.body);
}
// What report.py packed: JSON, compressed, in base64.
async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
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
  if (list) {
    const packed = document.getElementById("segments-packed").textContent;
    unpack(packed).then((content) => showSegments(list, content));
  }
})();

function showSegments(list, { places, known, html }) {
  const more = document.getElementById("more-segments");
  const control = (name) => document.getElementById("choose-" + name);
  const value = (name) => control(name)?.value ?? "";
  const plain = (text) => text.normalize("NFC").toLowerCase();
  const texts = known.map((segment) => plain(`${segment.number}\n${segment.text}`));
  if (speaks() === "ko") translate(list); // what is kept is in English
  const sources = [...[...list.children].map((article) => article.outerHTML), ...html];
  if (speaks() === "ko") translate(list);
  const elements = new Map();
  let isUsed = false; // before that a few segments are enough

  function articleOf(place) {
    if (!elements.has(place)) {
      const template = document.createElement("template");
      template.innerHTML = sources[place];
      elements.set(place, template.content.querySelector("article"));
    }
    const article = elements.get(place);
    if (!article.isConnected && (article.lang || "en") !== speaks()) translate(article); // the others already are
    article.lang = speaks();
    return article;
  }
  function fits(place) {
    const { group, length, kinds } = known[place];
    const system = value("system"), kind = value("kind");
    const own = system ? [kinds[system] ?? []] : Object.values(kinds);
    return texts[place].includes(plain(value("search"))) && (value("group") === "" || group === value("group")) &&
      length >= Number(value("shortest")) && length <= (Number(value("longest")) || Infinity) &&
      (kind === "" || own.some((found) => found.includes(kind)));
  }
  function show() {
    const metric = Number(value("metric")), system = value("system");
    const order = places[metric][Number(value("order"))].filter(fits);
    if (control("reverse").checked) order.reverse();
    const limit = Number(isUsed ? list.dataset.limit : list.dataset.first);
    list.replaceChildren(...order.slice(0, limit).map(articleOf));
    more.hidden = order.length <= limit;
    for (const part of list.querySelectorAll("[data-metric]")) part.hidden = Number(part.dataset.metric) !== metric;
    for (const part of list.querySelectorAll("[data-system]")) part.hidden = system !== "" && part.dataset.system !== system;
    const said = document.getElementById("segment-count");
    said.textContent = said.dataset.text.replace("{shown}", Math.min(order.length, limit)).replace("{all}", order.length);
  }
  function use() {
    isUsed = true;
    show();
  }
  function reset() {
    for (const name of ["search", "shortest", "longest", "group", "system", "kind"]) if (control(name)) control(name).value = "";
    control("reverse").checked = false;
  }
  function reveal() { // a link to a segment that is not in the page, or that a filter hides
    const place = known.findIndex(({ number }) => location.hash === `#segment-${number}`);
    if (place < 0) return;
    if (!articleOf(place).isConnected) {
      reset();
      show();
      list.prepend(articleOf(place));
    }
    articleOf(place).scrollIntoView();
    for (const article of list.children) article.classList.toggle("wanted", article === articleOf(place));
  }
  for (const link of document.querySelectorAll(".heat-map a")) { // a system in a group: where it loses most
    link.addEventListener("click", () => {
      reset();
      if (control("metric")) control("metric").value = link.dataset.metric;
      control("group").value = link.dataset.group;
      control("order").value = link.dataset.order;
      use();
    });
  }
  document.getElementById("controls").hidden = false;
  for (const event of ["input", "change"]) document.getElementById("controls").addEventListener(event, use);
  more.addEventListener("click", () => { if (isUsed) list.dataset.limit *= 3; use(); });
  addEventListener("hashchange", reveal);
  document.getElementById("language").addEventListener("click", show);
  show();
  reveal();
}
