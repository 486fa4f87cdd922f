// The parts of the report's page that are the same for every model: its style and the script that
// sorts tables. Colours are variables, once for light and once for dark.
#pragma once

namespace hlocc::driver {

inline constexpr const char* kPageStyle = R"css(
:root { color-scheme: light dark; --paper: #ffffff; --ink: #1b1f24; --faint: #57606a; --line:
    #d0d7de; --panel: #f6f8fa;
  --argument: #ddf4ff; --value: #dafbe1; --peak: #ffd8b5; --bar: #0969da; --over: #cf222e; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #0d1117; --ink: #e6edf3; --faint: #9aa4af; --line: #3d444d; --panel: #161b22;
    --argument: #133049; --value: #15391f; --peak: #5c3512; --bar: #4493f8; --over: #ff7b72; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 1200px; background: var(--paper); color:
    var(--ink);
  font: 15px/1.45 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin-top: 2rem; border-top: 1px solid
    var(--line); padding-top: 1rem; }
h3 { font-size: 1rem; margin-bottom: .3rem; }
p, ul { margin: .4rem 0; } ul { padding-left: 1.2rem; } .faint { color: var(--faint);
    font-size: .9rem; }
.scroll { overflow-x: auto; border: 1px solid var(--line); }
table { border-collapse: collapse; width: 100%; font-size: .85rem; font-variant-numeric:
    tabular-nums; }
th, td { padding: .25rem .5rem; border-bottom: 1px solid var(--line); text-align: left;
    white-space: nowrap; }
th { background: var(--panel); } td.n, th.n { text-align: right; }
tr.peak td { background: var(--peak); }
th button { all: unset; cursor: pointer; font-weight: 600; } th button:focus-visible { outline:
    2px solid var(--bar); }
th[aria-sort=ascending] button::after { content: " \2191"; } th[aria-sort=descending]
    button::after { content: " \2193"; }
.map { position: relative; height: 22rem; border: 1px solid var(--line); background:
    var(--panel); overflow: hidden; }
.map div { position: absolute; overflow: hidden; border: 1px solid var(--paper); background:
    var(--value);
  font-size: 11px; line-height: 13px; padding: 0 2px; }
.map div.argument { background: var(--argument); } .map div.atpeak { background: var(--peak); }
summary { cursor: pointer; font-weight: 600; margin: 1rem 0 .5rem; } a { color: var(--bar); }
.axis { display: flex; justify-content: space-between; gap: 1rem; font-size: .8rem; color:
    var(--faint); }
.alive { display: flex; align-items: flex-end; height: 4rem; border: 1px solid var(--line);
    margin-top: .5rem; }
.alive i { flex: 1 1 0; min-width: 0; background: var(--bar); } .alive i.peak { background:
    var(--over); }
.bars { display: grid; grid-template-columns: minmax(5rem, max-content) 1fr; gap: .2rem .6rem;
    align-items: center; font-size: .85rem; }
.bars .track { display: block; background: var(--panel); border: 1px solid var(--line);
    height: 1rem; }
.bars .track b { display: block; height: 100%; background: var(--bar); }
)css";

// Sorts the table of a pressed headline by its column: numbers as numbers, down at first.
inline constexpr const char* kPageScript = R"js(
for (const button of document.querySelectorAll("th button")) button.addEventListener("click",
    () => {
  const head = button.closest("th"), body = head.closest("table").tBodies[0], column =
    head.cellIndex;
  const number = head.classList.contains("n");
  const down = head.getAttribute("aria-sort") !== (number ? "descending" : "ascending") ?
    number : !number;
  for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const key = row => number ? Number(row.cells[column].dataset.n) : row.cells[column].textContent;
  const rows = [...body.rows].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0) *
    (down ? -1 : 1));
  body.append(...rows);
});
)js";

}  // namespace hlocc::driver
