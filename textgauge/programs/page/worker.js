// Loads Python into this worker, and answers the page with it. Each file must have the SHA-256 that the page was made
// with, under which it is kept for the next visit. What earlier versions of the page have left is removed.
"use strict";

const held = new Map(); // address -> Response of a file of the runtime, until Python has started

// the runtime asks for its files by address; it gets those that were checked
const fromNetwork = self.fetch.bind(self);
self.fetch = (resource, options) => {
  const found = held.get(String(resource.url ?? resource));
  return found ? Promise.resolve(found.clone()) : fromNetwork(resource, options);
};

const TYPES = { wasm: "application/wasm", js: "text/javascript", json: "application/json" };
const typeOf = (name) => TYPES[name.split(".").pop()] ?? "application/octet-stream";

async function isRight(bytes, sha256) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("") === sha256;
}

function integrityOf(sha256) {
  return "sha256-" + btoa(String.fromCharCode(...sha256.match(/../g).map((pair) => parseInt(pair, 16))));
}

// Returns the bytes of a file. Pages without https have neither caches nor crypto: there the browser keeps what it
// likes, and checks the sum.
async function download({ url, sha256, key, store }, onBytes) {
  const stored = await store?.match(key);
  const request = { cache: store ? "no-store" : "no-cache" };
  if (!crypto.subtle) request.integrity = integrityOf(sha256);
  const response = stored ?? (await fromNetwork(url, request));
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  const parts = [];
  const reader = response.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    onBytes(part.value.length);
  }
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  if (crypto.subtle && !(await isRight(bytes, sha256))) {
    await store?.delete(key);
    throw new Error(`${url} is not the file that this page was made with`);
  }
  if (!stored) await store?.put(key, new Response(bytes)).catch(() => {}); // a full disk is no reason to stop
  return bytes;
}

async function openStore(name) {
  try {
    return await caches.open(name);
  } catch {
    return null; // no https, or a browser that keeps nothing
  }
}

// Returns files with their addresses, and where they are kept.
async function placed(files, base, storeName) {
  const store = await openStore(storeName);
  return files.map((file) => {
    const url = new URL(file.name, base).href;
    return { ...file, url, key: `${url}?${file.sha256}`, store };
  });
}

async function downloadAll(files) {
  const total = files.reduce((sum, file) => sum + file.size, 0);
  let done = 0;
  const onBytes = (count) => {
    done += count;
    postMessage({ progress: done / total });
  };
  return Promise.all(files.map((file) => download(file, onBytes)));
}

// Removes all but these files from the store that they are kept in.
async function forgetOthers(files) {
  const [{ store }] = files;
  const keys = new Set(files.map((file) => file.key));
  for (const request of (await store?.keys()) ?? []) {
    if (!keys.has(request.url)) await store.delete(request);
  }
}

function run(bytes) {
  const url = URL.createObjectURL(new Blob([bytes], { type: TYPES.js }));
  importScripts(url);
  URL.revokeObjectURL(url);
}

function writeFile(pyodide, path, content) {
  pyodide.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
  pyodide.FS.writeFile(path, content);
}

async function start({ metric, runtime, files, page }) {
  const base = new URL(runtime.url, page).href;
  // all pages of a site share the runtime
  const ofRuntime = await placed(runtime.files, base, "metrics");
  const ofPage = await placed(files, page, `metrics ${new URL(".", page).href}`);
  const bytes = await downloadAll([...ofRuntime, ...ofPage]);
  postMessage({ progress: 1 });
  ofRuntime.forEach((file, index) => {
    held.set(file.url, new Response(bytes[index], { headers: { "Content-Type": typeOf(file.name) } }));
  });
  held.set(`${base}pyodide-lock.json`, new Response(JSON.stringify(runtime.lock)));
  for (const name of ["pyodide.js", "pyodide.asm.js"]) run(bytes[ofRuntime.findIndex((file) => file.name === name)]);
  const packages = Object.keys(runtime.lock.packages);
  const pyodide = await loadPyodide({ indexURL: base, lockFileURL: `${base}pyodide-lock.json`, packages });
  held.clear();
  await Promise.all([ofRuntime, ofPage].map(forgetOthers)).catch(() => {}); // what stays does no harm
  ofPage.forEach((file, index) => {
    const content = bytes[ofRuntime.length + index];
    if (file.name !== "packages.json") return writeFile(pyodide, `/app/${file.place}`, content);
    const texts = JSON.parse(new TextDecoder().decode(content));
    for (const [path, text] of Object.entries(texts)) writeFile(pyodide, `/packages/${path}`, text);
  });
  pyodide.runPython("import sys; sys.path.insert(0, '/app')");
  const answer = pyodide.pyimport("programs.page.start").start(metric, "/packages");
  return { answer, memory: () => pyodide._module.HEAP8.length };
}

let python;
self.onmessage = async ({ data }) => {
  try {
    if (data.start) {
      python = await start(data.start);
      postMessage({ ready: true });
    } else {
      const answer = JSON.parse(python.answer(data.question));
      postMessage({ id: data.id, answer, memory: python.memory() });
    }
  } catch (error) {
    console.error(error); // a defect, with Python's traceback: what is wrong with the input is an answer
    postMessage({ id: data.id, failure: String(error.message ?? error).trim().split("\n").pop() });
  }
};
