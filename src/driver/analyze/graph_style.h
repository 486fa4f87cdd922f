// Style and script of the picture of a layer graph. Colours are variables, once for light and once
// for dark; the script opens and folds clusters and then places all rows again, as graph_layout.cpp
// placed them at first.
#pragma once

namespace hlocc::driver {

inline constexpr const char* kGraphStyle = R"css(
.layers-graph { color-scheme: light dark; font: 13px system-ui, sans-serif; display: block;
  --paper: #ffffff; --ink: #1b1f24; --faint: #323940; --edge: #8c959f; --panel: #f6f8fa;
  --c0: #ffffff; --c1: #fff1e5; --c2: #ffd8b5; --c3: #ffb77c; --c4: #ff9b57;
  --b0: #ddf4ff; --b1: #a8dcff; --b2: #6cb6ff; --b3: #2f81f7; --b4: #0a3069;
  --l0: #0969da; --l1: #8250df; --l2: #1a7f37; --l3: #bf3989; --l4: #9a6700; }
@media (prefers-color-scheme: dark) { .layers-graph {
  --paper: #0d1117; --ink: #f0f6fc; --faint: #d1d7e0; --edge: #656c76; --panel: #161b22;
  --c0: #0d1117; --c1: #2b1a07; --c2: #4a2a0c; --c3: #663a0e; --c4: #804610;
  --b0: #10243a; --b1: #17406d; --b2: #1f6feb; --b3: #58a6ff; --b4: #cae8ff;
  --l0: #4493f8; --l1: #ab7df8; --l2: #3fb950; --l3: #f778ba; --l4: #d29922; } }
.layers-graph .paper { fill: var(--paper); }
.layers-graph text { fill: var(--ink); white-space: pre; }
.layers-graph .name { font-weight: 600; }
.layers-graph .figures { font-size: 11px; fill: var(--faint); }
.layers-graph .all { text-decoration: underline; cursor: pointer; }
.layers-graph .box { stroke: var(--edge); stroke-width: 2; rx: 4px; }
.layers-graph .swatch { stroke: var(--edge); }
.layers-graph .cluster { cursor: pointer; }
.layers-graph .cluster > .box { stroke-dasharray: 5 3; }
.layers-graph .border > .box, .layers-graph .open > .box { fill: var(--panel); }
.layers-graph .open > .bytes, .layers-graph .open > .figures { display: none; }
.layers-graph .mark { fill: var(--ink); }
.layers-graph .open > .mark { transform: rotate(90deg); transform-origin: 18px 12px; }
.layers-graph .row:focus, .layers-graph .all:focus { outline: none; }
.layers-graph .row:focus-visible > .box { stroke: var(--l0); stroke-width: 3; }
.layers-graph .all:focus-visible { fill: var(--l0); }
.layers-graph .line { fill: none; stroke-width: 1.5; stroke: var(--ink); pointer-events: none; }
.layers-graph .c0 { fill: var(--c0); } .layers-graph .c1 { fill: var(--c1); }
.layers-graph .c2 { fill: var(--c2); } .layers-graph .c3 { fill: var(--c3); }
.layers-graph .c4 { fill: var(--c4); }
.layers-graph .b0 { fill: var(--b0); } .layers-graph .b1 { fill: var(--b1); }
.layers-graph .b2 { fill: var(--b2); } .layers-graph .b3 { fill: var(--b3); }
.layers-graph .b4 { fill: var(--b4); }
.layers-graph .lane0 { stroke: var(--l0); } .layers-graph .lane1 { stroke: var(--l1); }
.layers-graph .lane2 { stroke: var(--l2); } .layers-graph .lane3 { stroke: var(--l3); }
.layers-graph .lane4 { stroke: var(--l4); }
)css";

// Behind the numbers of graph_layout.h: TOP, GAP, ROW, HEAD, BORDER, INDENT, MOST, LANE, LANES.
inline constexpr const char* kGraphScript = R"js(
const picture = document.currentScript.parentNode;
const rows = [...picture.querySelectorAll("g.row")], has = (row, name) =>
  row.classList.contains(name);
const parent = rows.map(row => Number(row.dataset.in)), end = rows.map(row =>
  Number(row.dataset.end));
const opened = rows.map(row => has(row, "open"));
const numbers = picture.dataset.edges ? picture.dataset.edges.split(" ").map(Number) : [];
const lines = [...picture.querySelectorAll(".line")];

const shown = [], at = [], isShown = [], position = [], x = [], y = [], height = [], right = [];
let below = TOP;

function placeRows() {
  shown.length = 0;
  rows.forEach((row, i) => {
    isShown[i] = parent[i] < 0 || (isShown[parent[i]] && opened[parent[i]]);
    at[i] = isShown[i] ? i : at[parent[i]];
    position[i] = shown.length;
    if (isShown[i]) shown.push(i);
  });
  below = TOP;
  const open = [];
  const close = next => {
    while (open.length && end[open.at(-1)] <= next) {
      const cluster = open.pop();
      height[cluster] = below - y[cluster];
      below += GAP;
    }
  };
  for (const i of shown) {
    close(i);
    x[i] = INDENT * Math.min(open.length, MOST);
    right[i] = 2 * Math.min(open.length, MOST) + 2;
    y[i] = below;
    const head = has(rows[i], "cluster") && opened[i];
    height[i] = head ? HEAD : has(rows[i], "border") ? BORDER : ROW;
    below += height[i] + GAP;
    if (head) open.push(i);
  }
  close(rows.length);
}

// The paths of all lines, in the order in which they stand in the picture.
function pathsOfLines() {
  const next = [], readers = shown.map(() => new Set());
  for (let e = 0; e < numbers.length; e += 2) {
    const from = position[at[numbers[e]]], to = position[at[numbers[e + 1]]];
    if (to === from + 1) next[from] = to;
    if (to > from + 1) readers[from].add(to);
  }
  const ends = [], lane = readers.map((to, p) => {
    if (!to.size) return -1;
    let free = 0;
    while (free < ends.length && ends[free] >= p) ++free;
    free = Math.min(free, LANES - 1);
    ends[free] = Math.max(ends[free] ?? 0, ...to);
    return free;
  });
  const gutter = 2 + LANE * (ends.length + 1);
  for (const i of shown) x[i] += gutter;
  let steps = "";
  const paths = lines.slice(1).map(() => "");
  next.forEach((to, from) => {
    const a = shown[from], b = shown[to], h = Math.max(x[a], x[b]) + 16, v = y[b];
    steps += `M${h} ${y[a] + height[a]}V${v}M${h - 3} ${v - 4}L${h} ${v}L${h + 3} ${v - 4}`;
  });
  readers.forEach((to, p) => {
    if (!to.size) return;
    const a = shown[p], h = gutter - LANE * (lane[p] + 1), sorted = [...to].sort((m, n) => m - n);
    let path = `M${x[a]} ${y[a] + height[a] - 8}H${h}V${y[shown[sorted.at(-1)]] + 8}`;
    for (const reader of sorted) {
      const r = x[shown[reader]], v = y[shown[reader]] + 8;
      path += `M${h} ${v}H${r}M${r - 4} ${v - 3}L${r} ${v}L${r - 4} ${v + 3}`;
    }
    paths[lane[p]] += path;
  });
  return [steps, ...paths];
}

function place() {
  placeRows();
  const paths = pathsOfLines();
  rows.forEach((row, i) => {
    row.style.display = isShown[i] ? "" : "none";
    if (!isShown[i]) return;
    row.setAttribute("transform", `translate(${x[i]} ${y[i]})`);
    const box = row.querySelector(".box");
    box.style.width = `calc(100% - ${x[i] + right[i]}px)`;
    for (const rectangle of [box, row.querySelector(".bytes")])
      rectangle?.setAttribute("height", height[i]);
  });
  paths.forEach((path, i) => lines[i].setAttribute("d", path));
  picture.setAttribute("height", below);
}

function set(i, isOpen) {
  opened[i] = isOpen;
  rows[i].classList.toggle("open", isOpen);
  rows[i].setAttribute("aria-expanded", isOpen);
}
function pressed(element, what) {
  element.addEventListener("click", what);
  element.addEventListener("keydown", event => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    what();
  });
}
rows.forEach((row, i) => { if (has(row, "cluster")) pressed(row, () => {
  set(i, !opened[i]);
  place();
}); });
picture.querySelectorAll(".all").forEach((word, k) => pressed(word, () => {
  rows.forEach((row, i) => { if (has(row, "cluster")) set(i, k === 0); });
  place();
}));
)js";

}  // namespace hlocc::driver
