'use strict';
(() => {
  const run = JSON.parse(document.getElementById('data').textContent);
  const at = (id) => document.getElementById(id);
  const make = (tag, text, kind) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (kind) made.className = kind;
    return made;
  };
  const tone = {'as expected': 'good', 'unexpected': 'bad', 'incomplete': 'limit', 'not run': 'limit'};

  at('summary').textContent = run.summary;
  at('not-covered').textContent = run.not_covered;

  // ---- the table ----

  for (const s of run.scenarios) {
    const row = at('rows').appendChild(make('tr'));
    const name = row.appendChild(make('td'));
    const link = name.appendChild(make('a', s.name));
    link.href = '#' + encodeURIComponent(s.name);
    name.appendChild(make('span', s.claim, 'claim'));
    row.appendChild(make('td', s.verdict, tone[s.status]));
    const executions = row.appendChild(make('td', s.executions, 'number'));
    executions.dataset.unit = 'executions';
    row.appendChild(make('td', s.time, 'number'));
    row.appendChild(make('td', s.bounds));
    s.row = row;
    s.text = [s.name, s.claim, s.verdict].join(' ').toLowerCase();
  }

  const filter = () => {
    const words = at('words').value.toLowerCase().split(/\s+/).filter(Boolean);
    const which = at('which').value;
    let shown = 0;
    for (const s of run.scenarios) {
      const fits = which === '' || (which === 'not as expected' ? s.status !== 'as expected' : s.result === which);
      s.row.hidden = !(fits && words.every((word) => s.text.includes(word)));
      if (!s.row.hidden) ++shown;
    }
    at('count').textContent = (shown === run.scenarios.length ? '' : shown + ' of ') + run.scenarios.length + ' scenarios';
  };
  at('words').addEventListener('input', filter);
  at('which').addEventListener('input', filter);
  at('filter').addEventListener('submit', (event) => event.preventDefault());

  // ---- one scenario ----

  let shown = null;  // the scenario that is shown
  let boxes = [];    // the boxes of its steps
  let edges = [];
  let now = 0;       // index into boxes

  const showSource = (step) => {
    const place = shown.places[step];
    const lines = place && run.files[place[0]];
    at('source').hidden = !lines && !place;
    if (!place) return;
    at('file').textContent = place[0] + ':' + place[1];
    const code = at('code');
    if (code.dataset.file !== place[0]) {
      code.dataset.file = place[0];
      code.replaceChildren(...(lines || []).map((text, i) => {
        const line = make('span', text === '' ? ' ' : text);
        line.dataset.line = i + 1;
        return line;
      }));
    }
    for (const line of code.querySelectorAll('.here')) line.classList.remove('here');
    const here = code.children[place[1] - 1];
    if (!here) return;
    here.classList.add('here');
    code.scrollTop = here.offsetTop - code.offsetTop - code.clientHeight / 3;
  };

  // Scrolls the boxes to the middle of the visible part of the pane, unless they are in sight. If
  // they are too far apart, scrolls to the last one.
  const scrollTo = (...group) => {
    const pane = at('graph').getBoundingClientRect();
    const top = Math.max(pane.top, 0);
    const bottom = Math.min(pane.bottom, window.innerHeight);
    const places = group.map((box) => box.getBoundingClientRect());
    let from = Math.min(...places.map((place) => place.top));
    let to = Math.max(...places.map((place) => place.bottom));
    if (to - from > bottom - top) ({top: from, bottom: to} = places[places.length - 1]);
    if (from < top || to > bottom) at('graph').scrollTop += from - top - (bottom - top - (to - from)) / 2;
    const left = Math.min(...places.map((place) => place.left));
    const right = Math.max(...places.map((place) => place.right));
    if (left < pane.left || right > pane.right) {
      at('graph').scrollLeft += left - pane.left - Math.max(8, (pane.width - (right - left)) / 2);
    }
  };

  // The boxes of the two accesses that are not ordered, of a read and the write below it that it
  // reads from, or of the step that is wrong.
  const redPair = () => {
    const line = at('graph').querySelector('.edge.unordered[data-from], .edge.below[data-from]');
    const steps = line ? [line.dataset.from, line.dataset.to] : [];
    const pair = boxes.filter((box) => steps.includes(box.dataset.step));
    if (pair.length > 0) return pair;
    const wrong = boxes.filter((box) => box.classList.contains('wrong'));
    return (wrong.length > 0 ? wrong : boxes).slice(-1);
  };

  // Fits the graph to the width of the pane, or only the red pair if the whole graph would be too
  // small to read.
  const fitGraph = () => {
    const graph = at('graph').querySelector('svg');
    if (!graph) return;
    graph.style.width = '';
    if (at('fit').getAttribute('aria-pressed') !== 'true') return;
    const natural = graph.viewBox.baseVal.width;
    const room = at('graph').clientWidth;
    let scale = room / natural;
    if (scale < 0.5) {
      const sides = redPair().map((box) => box.querySelector('rect').getBBox());
      const left = Math.min(...sides.map((side) => side.x));
      const right = Math.max(...sides.map((side) => side.x + side.width));
      scale = room / (right - left + 24);
    }
    graph.style.width = natural * Math.min(scale, 1) + 'px';
  };

  const goTo = (index) => {
    if (boxes.length === 0) return;
    now = Math.max(0, Math.min(index, boxes.length - 1));
    const step = Number(boxes[now].dataset.step);
    for (const [i, box] of boxes.entries()) {
      box.classList.toggle('later', i > now);
      box.classList.toggle('now', i === now);
    }
    for (const edge of edges) {
      edge.classList.toggle('later', Number(edge.dataset.from) > step || Number(edge.dataset.to) > step);
    }
    at('step').textContent = (now + 1) + ' of ' + boxes.length + ': ' +
        [...boxes[now].querySelectorAll('.access')].map((line) => line.textContent).join(' ');
    at('first').disabled = at('back').disabled = now === 0;
    at('next').disabled = at('last').disabled = now === boxes.length - 1;
    scrollTo(boxes[now]);
    showSource(step);
  };

  // Goes to a step on the reader's request, and brings the panes into sight if they are mostly out
  // of it.
  const stepTo = (index) => {
    const pane = at('panes').getBoundingClientRect();
    if (Math.min(pane.bottom, window.innerHeight) - Math.max(pane.top, 0) < 0.9 * Math.min(pane.height, window.innerHeight)) {
      at('controls').scrollIntoView();
    }
    goTo(index);
  };

  // Makes the panes end at the bottom of the window, unless this makes them too low.
  const fitWindow = () => {
    const room = window.innerHeight - at('panes').getBoundingClientRect().top - window.scrollY - 12;
    at('panes').style.setProperty('--room', Math.max(room, 360) + 'px');
    fitGraph();
  };
  window.addEventListener('resize', fitWindow);

  const outcomeTable = (rows) => {
    const table = make('table');
    const head = table.appendChild(make('tr'));
    for (const title of ['Outcome', 'Executions', 'Expectation', 'Description']) head.appendChild(make('th', title));
    for (const row of rows) {
      const line = table.appendChild(make('tr'));
      for (const text of row) line.appendChild(make('td', text));
    }
    return table;
  };

  const show = (s) => {
    shown = s;
    at('name').textContent = s.name;
    at('claim').textContent = s.claim;
    at('verdict').textContent = s.verdict + '; ' + s.executions + ' executions, ' + s.blocked + ' blocked, ' + s.time +
        (s.bounds ? '; ' + s.bounds : '');
    at('verdict').className = tone[s.status] || '';
    at('message').textContent = s.message || '';
    at('why').textContent = s.why || '';
    at('shortest').textContent = s.which || '';
    at('outcomes').replaceChildren(...(s.outcomes.length ? [outcomeTable(s.outcomes)] : []));
    at('player').hidden = !s.svg;
    at('graph').innerHTML = s.svg || '';
    boxes = [...at('graph').querySelectorAll('.step')];
    edges = [...at('graph').querySelectorAll('.edge[data-from]')];
    for (const [i, box] of boxes.entries()) box.addEventListener('click', () => stepTo(i));
    delete at('code').dataset.file;
    fitWindow();
    const pair = redPair();
    if (pair.length === 0) return;
    goTo(boxes.length - 1);
    if (at('graph').getBoundingClientRect().top > window.innerHeight / 2) at('message').scrollIntoView();
    scrollTo(...pair);
  };

  at('fit').addEventListener('click', () => {
    at('fit').setAttribute('aria-pressed', at('fit').getAttribute('aria-pressed') !== 'true');
    fitGraph();
    if (boxes.length > 0) scrollTo(boxes[now]);
  });
  at('first').addEventListener('click', () => stepTo(0));
  at('back').addEventListener('click', () => stepTo(now - 1));
  at('next').addEventListener('click', () => stepTo(now + 1));
  at('last').addEventListener('click', () => stepTo(boxes.length - 1));
  document.addEventListener('keydown', (event) => {
    if (at('detail').hidden || event.altKey || event.ctrlKey || event.metaKey) return;
    const steps = {ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: boxes.length - 1};
    if (!(event.key in steps)) return;
    event.preventDefault();
    stepTo(steps[event.key]);
  });

  const route = () => {
    const name = decodeURIComponent(location.hash.slice(1));
    const found = run.scenarios.find((s) => s.name === name);
    at('list').hidden = Boolean(found);
    at('detail').hidden = !found;
    document.title = (found ? found.name + ': ' : '') + 'Fencepost';
    if (found) {
      window.scrollTo(0, 0);
      show(found);
    }
  };
  window.addEventListener('hashchange', route);
  filter();
  route();
})();
