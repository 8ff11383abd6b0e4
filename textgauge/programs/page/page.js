// The page of a metric: texts and options to Python, scores back. Python is in worker.js, or where the page comes from.
// `data` is what was written into the page: labels, form, examples scored beforehand, and what the worker loads.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const SHOWN_ROWS = 50;
const page = Object.fromEntries([...document.querySelectorAll("[id]")].map((element) => [element.id, element]));

const state = {
  language: (navigator.languages.find((name) => /^(en|ko)\b/.test(name)) ?? "en").slice(0, 2),
  message: "loading",
  shared: "",
  headings: data.form.headings,
  rows: [],
  shownRows: SHOWN_ROWS,
  values: [],
  example: null, // the one that is shown as it was scored beforehand
  scored: null,
  asked: null, // rows and values that were scored
  shownSegments: SHOWN_ROWS,
  segment: 1,
  explained: null, // what made the score of that segment, in each language, or why that cannot be said
  isReady: false,
  isWanted: false, // to be scored as soon as Python is there
  memory: 0, // bytes that Python holds
};

const text = (key) => data.texts[key]?.[state.language] ?? key;

function element(tag, attributes = {}, ...children) {
  const made = Object.assign(document.createElement(tag), attributes);
  made.append(...children);
  return made;
}

function columnText(heading) {
  const [, name, number] = heading.match(/^(.*?)( \d+)?$/);
  return (data.texts[`column_${name}`] ? text(`column_${name}`) : name) + (number ?? "");
}

// What the form calls a value: an option without one has no other name.
const valueText = (value) => (value === data.form.not_set ? text("not_set") : value);

// --- the table of texts

function showTexts() {
  const titles = state.headings.map((heading) => element("th", { scope: "col" }, columnText(heading)));
  const head = element("tr", {}, element("td", { className: "number" }), ...titles);
  const rows = state.rows.slice(0, state.shownRows).map((_, row) => {
    const cells = state.headings.map((heading, column) => element("td", {}, cell(row, column, heading)));
    return element("tr", {}, element("th", { className: "number", scope: "row" }, String(row + 1)), ...cells);
  });
  page.texts.replaceChildren(element("thead", {}, head), element("tbody", {}, ...rows));
  page.texts.style.minWidth = `${2 + 4.1 * titles.length}rem`;
  page.more_rows.hidden = state.rows.length <= state.shownRows;
  page.column.replaceChildren(
    ...state.headings.map((heading) => element("option", { value: heading }, columnText(heading))),
  );
}

function cell(row, column, heading) {
  const area = element("textarea", { rows: 1, value: state.rows[row][column], dir: "auto", spellcheck: false });
  area.setAttribute("aria-label", `${columnText(heading)}, ${text("row")} ${row + 1}`);
  area.addEventListener("input", () => (state.rows[row][column] = area.value));
  area.addEventListener("paste", (event) => paste(event, row, column));
  return area;
}

// Fills as many cells as the clipboard has, as spreadsheets do; what is one line goes into its cell.
function paste(event, row, column) {
  const pasted = event.clipboardData.getData("text").replace(/\r?\n$/, "").split(/\r?\n/);
  if (pasted.length === 1 && !pasted[0].includes("\t")) return;
  event.preventDefault();
  pasted.forEach((line, down) => {
    if (row + down === state.rows.length) state.rows.push(emptyRow());
    line.split("\t").forEach((value, across) => {
      if (column + across < state.headings.length) state.rows[row + down][column + across] = value;
    });
  });
  showTexts();
}

const emptyRow = () => state.headings.map(() => "");

function setTable({ headings, rows }) {
  Object.assign(state, { headings, rows: rows.map((row) => row.map(String)), shownRows: SHOWN_ROWS });
  if (!state.rows.length) state.rows.push(emptyRow());
  showTexts();
}

// --- options

function showOptions() {
  const order = data.form.controls.map((_, index) => index);
  order.sort((one, other) => data.form.controls[other].is_prominent - data.form.controls[one].is_prominent);
  page.options.replaceChildren(...order.map((index) => option(data.form.controls[index], index)));
  showGiven();
}

// Which options differ from their defaults, in one line above all of them.
function showGiven() {
  const given = data.form.controls.flatMap((control, index) => {
    const value = state.values[index];
    if (JSON.stringify(value ?? "") === JSON.stringify(control.default ?? "")) return [];
    return [element("code", {}, `${control.name}=${control.kind === "table" ? value.map((entry) => entry.join(" ")).join(", ") : valueText(String(value))}`)];
  });
  page.given.replaceChildren(text(given.length ? "given" : "given_none"), ...given.flatMap((code) => [" ", code]));
}

function option(control, index) {
  const id = `option-${control.name}`;
  const help = element("span", { className: "quiet", id: `${id}-help` }, control.help[state.language].replace(/`/g, ""));
  const set = (value) => {
    state.values[index] = value;
    showGiven();
  };
  const field = control.kind === "table" ? entries(control, index) : FIELDS[control.kind](control, state.values[index], set);
  field.setAttribute("aria-describedby", help.id);
  field.id = id;
  return element("div", { className: "option" }, element("label", { htmlFor: id }, control.name), " ", field, help);
}

const FIELDS = {
  checkbox(control, value, set) {
    const field = element("input", { type: "checkbox", checked: value });
    field.addEventListener("change", () => set(field.checked));
    return field;
  },
  choice(control, value, set) {
    const choices = control.choices.map((choice) => {
      const disabled = control.missing.includes(choice);
      return element("option", { value: choice, selected: choice === value, disabled }, valueText(choice));
    });
    const field = element("select", {}, ...choices);
    field.addEventListener("change", () => set(field.value));
    return field;
  },
  number(control, value, set) {
    const field = element("input", { type: "number", step: control.is_integer ? 1 : "any", value: value ?? "" });
    field.placeholder = valueText(control.placeholder);
    field.addEventListener("input", () => set(field.value === "" ? null : Number(field.value)));
    return field;
  },
  text(control, value, set) {
    const field = element("input", { type: "text", value: value ?? "", placeholder: valueText(control.placeholder) });
    field.addEventListener("input", () => set(field.value));
    return field;
  },
};

function entries(control, index) {
  const table = element("table", { className: "cells" });
  const titles = control.headings.map((heading) => element("th", { scope: "col" }, columnText(heading)));
  const rows = state.values[index].map((entry, row) => {
    const fields = control.headings.map((heading, column) => {
      const field = element("input", { type: "text", value: entry[column], dir: "auto" });
      field.setAttribute("aria-label", `${control.name}, ${columnText(heading)}, ${text("row")} ${row + 1}`);
      field.addEventListener("input", () => {
        entry[column] = field.value;
        showGiven();
      });
      return element("td", {}, field);
    });
    return element("tr", {}, ...fields);
  });
  const add = element("button", { type: "button" }, text("add_entry"));
  add.addEventListener("click", () => {
    state.values[index].push(control.headings.map(() => ""));
    showOptions();
    document.querySelector(`#option-${control.name} tr:last-child input`).focus();
  });
  table.append(element("thead", {}, element("tr", {}, ...titles)), element("tbody", {}, ...rows));
  return element("div", {}, table, add);
}

// --- the result

function showError(message) {
  page.error.hidden = !message;
  page.error.textContent = message ? text("error") + message : "";
  if (message) page.result.hidden = page.of_segments.hidden = true;
}

function showResult() {
  page.result.hidden = !state.scored;
  page.of_segments.hidden = !state.scored?.count;
  if (!state.scored) return;
  page.scores.innerHTML = state.scored.html[state.language]; // written by the drawing code, which escapes all texts
  page.csv.hidden = !state.scored.csv;
  showSegments();
}

function showSegments() {
  const titles = state.scored.headings.map((heading) => element("th", { scope: "col" }, columnText(heading)));
  const rows = state.scored.segments.slice(0, state.shownSegments).map((cells, index) => {
    const button = element("button", { type: "button" }, String(index + 1));
    button.setAttribute("aria-label", `${text("explain")} ${index + 1}`);
    button.setAttribute("aria-pressed", String(index + 1 === state.segment));
    button.addEventListener("click", () => explain(index + 1));
    const shown = cells.map((value) => element("td", { dir: "auto" }, value));
    return element("tr", {}, element("td", {}, button), ...shown);
  });
  const head = element("tr", {}, element("td"), ...titles);
  page.segments.replaceChildren(element("thead", {}, head), element("tbody", {}, ...rows));
  page.more_segments.hidden = state.scored.segments.length <= state.shownSegments;
}

async function explain(number) {
  if (!state.scored.count) return;
  state.segment = number;
  for (const button of page.segments.querySelectorAll("button")) {
    button.setAttribute("aria-pressed", String(button.textContent === String(number)));
  }
  const isScoredBeforehand = state.example !== null;
  const question = { do: "explain", number, ...state.asked };
  const answer = isScoredBeforehand ? { html: state.example.explanations[number - 1] } : await ask(question);
  if (state.segment !== number) return; // another one was chosen meanwhile
  state.explained = answer;
  showExplanation();
}

function showExplanation() {
  const { html, error } = state.explained ?? {};
  if (error) page.explanation.textContent = text("error") + error;
  else page.explanation.innerHTML = html?.[state.language] ?? "";
}

async function score() {
  if (!state.isReady) {
    state.isWanted = true;
    return say("waiting");
  }
  say("working");
  const asked = structuredClone({ rows: state.rows, values: state.values });
  const answer = await ask({ do: "score", ...asked });
  say("ready");
  showError(answer.error);
  if (answer.error) return;
  Object.assign(state, { scored: answer, asked, example: null, shownSegments: SHOWN_ROWS });
  showResult();
  await explain(1);
}

function showExample(index) {
  const example = data.examples[index];
  setTable(example);
  Object.assign(state, { values: structuredClone(example.values), example, scored: example.scored, shownSegments: SHOWN_ROWS });
  showOptions();
  showError("");
  showResult();
  explain(1);
}

// --- links, files

async function pipe(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

function asLetters(bytes) {
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return letters;
}

async function packed(content) {
  const bytes = await pipe(new TextEncoder().encode(JSON.stringify(content)), new CompressionStream("deflate-raw"));
  return btoa(asLetters(bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

async function unpacked(link) {
  const letters = atob(link.replace(/-/g, "+").replace(/_/g, "/"));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(await pipe(bytes, new DecompressionStream("deflate-raw"))));
}

async function share() {
  const { headings, rows, values } = state;
  history.replaceState(null, "", `#${await packed({ headings, rows, values })}`);
  try {
    await navigator.clipboard.writeText(location.href);
    state.shared = "copied";
  } catch {
    state.shared = "in_address";
  }
  page.shared.textContent = text(state.shared);
}

// Fills the page from its address; the texts are scored as soon as Python is there.
async function openLink() {
  if (location.hash.length < 2) return;
  try {
    const { headings, rows, values } = await unpacked(location.hash.slice(1));
    if (values.length !== data.form.controls.length) throw new Error("another form");
    setTable({ headings, rows });
    Object.assign(state, { values, scored: null, example: null });
    showOptions();
    showResult();
    await score();
  } catch {
    showError(text("bad_link"));
  }
}

function save(content, kind, type) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  element("a", { href: url, download: `${data.form.metric}.${kind}` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

async function upload(file) {
  const content = asLetters(new Uint8Array(await file.arrayBuffer()));
  await replaceTable({ do: "upload", name: file.name, content, column: page.column.value, rows: state.rows });
}

async function replaceTable(question) {
  const answer = await ask(question);
  showError(answer.error);
  if (!answer.error) setTable(answer);
}

// --- Python

const worker = data.worker && new Worker(data.worker); // none where a server computes
const waiting = new Map();
let lastId = 0;

function ask(question) {
  question.language = state.language;
  if (!worker) return askServer(question);
  lastId += 1;
  worker.postMessage({ id: lastId, question: JSON.stringify(question) });
  return new Promise((resolve) => waiting.set(lastId, resolve));
}

async function askServer(question) {
  try {
    return await (await fetch("answer", { method: "POST", body: JSON.stringify(question) })).json();
  } catch (reason) {
    fail(reason);
    throw reason;
  }
}

function say(message) {
  state.message = message;
  page.state.textContent = text(message);
}

function fail(reason) {
  console.error(reason);
  say("failed");
  page.progress.hidden = true;
  page.score.disabled = true;
  page.retry.hidden = false;
}

function start() {
  if (!worker) return beReady();
  worker.onerror = (event) => fail(event.message);
  worker.onmessage = ({ data: told }) => {
    if (told.progress !== undefined) {
      page.progress.value = told.progress;
      if (told.progress === 1 && state.message === "loading") say("starting");
    } else if (told.ready) {
      beReady();
    } else if (told.failure && told.id === undefined) {
      fail(told.failure);
    } else {
      state.memory = told.memory;
      waiting.get(told.id)(told.answer ?? { error: told.failure });
      waiting.delete(told.id);
    }
  };
  worker.postMessage({ start: { ...data.start, page: document.baseURI } });
}

function beReady() {
  state.isReady = true;
  page.progress.hidden = true;
  say("ready");
  if (state.isWanted) score();
}

// --- the page

function showLabels() {
  document.documentElement.lang = state.language;
  for (const labelled of document.querySelectorAll("[data-text]")) labelled.textContent = text(labelled.dataset.text);
  page.shared.textContent = state.shared && text(state.shared);
  say(state.message);
  showTexts();
  showOptions();
  showResult();
  showExplanation();
}

page.language.addEventListener("click", () => {
  state.language = state.language === "en" ? "ko" : "en";
  showLabels();
});
page.example.append(...data.examples.map(({ title }, index) => element("option", { value: index }, title)));
page.example.addEventListener("change", () => showExample(page.example.value));
page.names.textContent = data.form.headings.join(", ");
page.missing.hidden = !data.form.is_limited;
page.widen.hidden = !data.form.can_widen;
page.more_rows.addEventListener("click", () => {
  state.shownRows += SHOWN_ROWS;
  showTexts();
  page.texts.querySelectorAll("tbody tr")[state.shownRows - SHOWN_ROWS].querySelector("textarea").focus();
});
page.more_segments.addEventListener("click", () => {
  state.shownSegments += SHOWN_ROWS;
  showSegments();
  page.segments.querySelectorAll("button")[state.shownSegments - SHOWN_ROWS].focus();
});
page.add_row.addEventListener("click", () => {
  state.rows.push(emptyRow());
  state.shownRows = Math.max(state.shownRows, state.rows.length);
  showTexts();
  page.texts.querySelector("tr:last-child textarea").focus();
});
page.clear.addEventListener("click", () => setTable({ headings: data.form.headings, rows: [] }));
page.widen.addEventListener("click", () => replaceTable({ do: "widen", rows: state.rows }));
page.file.addEventListener("change", () => page.file.files.length && upload(page.file.files[0]));
page.score.addEventListener("click", score);
page.retry.addEventListener("click", () => location.reload());
page.share.addEventListener("click", share);
page.json.addEventListener("click", () => save(state.scored.json, "json", "application/json"));
page.csv.addEventListener("click", () => save(state.scored.csv, "csv", "text/csv"));
addEventListener("hashchange", openLink);

page.app.hidden = false;
showExample(0);
showLabels();
openLink();
start();
