/// The looks of the page: light and dark as the reader's system is, and fit for paper.
enum PageStyle {
  static let text = """
    :root { color-scheme: light dark;
      --ground: #fbfaf8; --card: #fff; --ink: #1c2024; --soft: #60656c; --rule: #e3e1dc;
      --stage: #2a6fbb; --floor: #8d8d86; --debounce: #d9d6ce; --old: #c77d2a;
      --good: #1d7a46; --bad: #b3261e; --even: #60656c;
      --c0: #2a6fbb; --c1: #8a4fbf; --c2: #c2366b; --c3: #14857a; --c4: #b0731a; }
    @media (prefers-color-scheme: dark) { :root {
      --ground: #14171a; --card: #1b1f23; --ink: #e8eaed; --soft: #a0a7af; --rule: #2f353b;
      --stage: #6aa9ee; --floor: #84867f; --debounce: #3a4047; --old: #e0a35a;
      --good: #5cc98a; --bad: #ff8a80; --even: #a0a7af;
      --c0: #6aa9ee; --c1: #bd93f0; --c2: #f0729e; --c3: #4fc9bb; --c4: #e3b25c; } }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--ground); color: var(--ink);
      font: 16px/1.55 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
    main { max-width: 68rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
    header { border-bottom: 1px solid var(--rule); padding-bottom: 1.25rem; }
    h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .4rem; letter-spacing: -.01em; }
    h2 { font-size: 1.15rem; margin: 2.6rem 0 .3rem; }
    p { margin: .3rem 0 .8rem; max-width: 46rem; }
    .meta, .hint, small, figcaption { color: var(--soft); }
    .lede { font-size: 1.2rem; margin: .9rem 0 0; max-width: 50rem; }
    .verdict { display: inline-block; padding: .15rem .7rem; border-radius: 1rem; color: var(--card);
      background: var(--even); font-weight: 600; }
    .verdict.better { background: var(--good); } .verdict.worse { background: var(--bad); }
    td.better { color: var(--good); font-weight: 600; } td.worse { color: var(--bad);
      font-weight: 600; }
    figure { margin: .6rem 0 0; padding: 1rem; background: var(--card);
      border: 1px solid var(--rule); border-radius: .5rem; }
    figcaption { font-size: .85rem; margin-top: .5rem; }
    svg { display: block; width: 100%; height: auto; font: 12px system-ui, "DejaVu Sans", sans-serif; }
    .wide { overflow-x: auto; background: var(--card); border: 1px solid var(--rule);
      border-radius: .5rem; padding: .3rem .8rem; margin-top: .6rem; }
    table { border-collapse: collapse; width: 100%; font-size: .88rem;
      font-variant-numeric: tabular-nums; }
    th, td { padding: .32rem .5rem; text-align: right; white-space: nowrap; vertical-align: top; }
    th:first-child { text-align: left; font-weight: 600; }
    th small { display: block; font-weight: 400; font-size: .76rem; line-height: 1.3; }
    thead th { color: var(--soft); font-weight: 600; border-bottom: 1px solid var(--rule); }
    tbody + tbody tr:first-child > * { border-top: 1px solid var(--rule); }
    tr.below th { padding-left: 1.4rem; font-weight: 400; } tr.below > * { color: var(--soft); }
    dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.2rem; margin: .6rem 0; }
    dt { color: var(--soft); } dd { margin: 0; }
    ul { padding-left: 1.2rem; max-width: 50rem; }
    text { fill: var(--ink); } text.tick { fill: var(--soft); font-size: 11px; }
    text.value { fill: var(--soft); font-size: 11.5px; } text.name { font-weight: 600; }
    text.key { font-weight: 600; stroke: none; }
    .grid { stroke: var(--rule); } .stage { fill: var(--stage); stroke: var(--stage); stroke-width: 0; }
    .floor { fill: var(--floor); stroke: var(--floor); stroke-width: 0; }
    .debounce { fill: var(--debounce); } .old { fill: var(--old); } .pace { fill: var(--stage); }
    .tail, .cut { stroke-width: 1.4; fill: none; }
    .break { stroke: var(--card); stroke-width: 3; fill: none; }
    .curve { fill: none; stroke-width: 2.2; } .curve.old { fill: none; stroke-width: 1.3;
      stroke-dasharray: 5 4; }
    .c0 { stroke: var(--c0); } .c1 { stroke: var(--c1); } .c2 { stroke: var(--c2); }
    .c3 { stroke: var(--c3); } .c4 { stroke: var(--c4); } .cfloor { stroke: var(--floor); }
    text.c0 { fill: var(--c0); } text.c1 { fill: var(--c1); } text.c2 { fill: var(--c2); }
    text.c3 { fill: var(--c3); } text.c4 { fill: var(--c4); } text.cfloor { fill: var(--floor); }
    @media print { body { background: #fff; font-size: 11px; } main { max-width: none; padding: 0; }
      figure, .wide, section { break-inside: avoid; } }
    """
}
