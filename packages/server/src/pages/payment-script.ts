/**
 * The script of the payment page, as it is sent: a module that a browser runs as it stands. It asks for the order's
 * state and, when that changed, for the page itself, so that all texts come from the server. Times are milliseconds.
 */
export const paymentScript = `
const first = 2000, slowest = 15000, slowestOnError = 60000, timeoutMs = 10000;
const main = document.querySelector('main');
const part = (name, root = document) => root.querySelector('[data-part="' + name + '"]');
let wait = first, failures = 0, busy = false, looking, ticking, ends;

document.documentElement.classList.add('scripted');

async function ask(path) {
  const response = await fetch(path, { cache: 'no-store', signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error(path + ': status ' + response.status);
  return response;
}

function show(next) {
  const held = document.activeElement;
  document.title = next.title;
  for (const name of ['status', 'reload', 'pay', 'sandbox'])
    part(name).replaceChildren(...part(name, next).childNodes);
  if (held !== document.body && !held.isConnected) part('status').focus();
}

async function refresh() {
  const response = await ask(location.pathname);
  const next = new DOMParser().parseFromString(await response.text(), 'text/html');
  const { state, ...rest } = next.querySelector('main').dataset;
  const changed = state !== main.dataset.state;
  Object.assign(main.dataset, rest, { state });
  if (changed) show(next);
  count();
}

async function look(work) {
  if (busy) return;
  busy = true;
  clearTimeout(looking);
  try {
    await work();
    failures = 0;
  } catch {
    failures += 1;
    wait = Math.min(wait * 2, slowestOnError);
  }
  busy = false;
  const warning = part('connection-error');
  const text = failures > 1 ? warning.dataset.text : '';
  if (warning.textContent !== text) warning.textContent = text;
  lookLater();
}

async function compare() {
  const { data } = await (await ask(main.dataset.statusPath)).json();
  if (data.payment_status + ' ' + data.buy_status === main.dataset.state) {
    wait = Math.min(wait * 1.2, slowest);
    return;
  }
  await refresh();
  wait = first;
}

function lookLater() {
  clearTimeout(looking);
  if (document.hidden || main.dataset.watch !== 'steadily') return;
  looking = setTimeout(look, wait * (0.9 + Math.random() * 0.2), compare);
}

function count() {
  ends = Date.now() + Number(main.dataset.left);
  tick();
}

function tick() {
  clearTimeout(ticking);
  const countdown = part('countdown');
  if (!countdown || document.hidden) return;
  const left = Math.max(0, ends - Date.now());
  const seconds = Math.ceil(left / 1000);
  const pair = (number) => String(Math.floor(number)).padStart(2, '0');
  const hours = seconds >= 3600 ? pair(seconds / 3600) + ':' : '';
  countdown.textContent = hours + pair((seconds / 60) % 60) + ':' + pair(seconds % 60);
  countdown.classList.toggle('soon', seconds < 300);
  if (left > 0) {
    ticking = setTimeout(tick, left % 1000 || 1000);
    return;
  }
  wait = first;
  look(compare);
}

function comeBack() {
  if (document.hidden || main.dataset.watch === 'never') return;
  wait = first;
  tick();
  look(refresh);
}

function select(element) {
  getSelection().selectAllChildren(element);
  return document.execCommand('copy');
}

async function copy(button) {
  const { copied, selected } = button.dataset;
  const note = button.parentElement.querySelector('[role="status"]');
  note.textContent = '';
  // Without a secure connection there is no clipboard to write to.
  const done = await navigator.clipboard?.writeText(button.dataset.copy).then(() => true, () => false);
  note.textContent = done || select(part('pay').querySelector('.code')) ? copied : selected;
  setTimeout(() => { note.textContent = ''; }, 5000);
}

document.addEventListener('click', ({ target }) => {
  const button = target.closest('[data-copy]');
  if (button) copy(button);
});
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) return comeBack();
  clearTimeout(looking);
  clearTimeout(ticking);
});
addEventListener('pageshow', ({ persisted }) => { if (persisted) comeBack(); });
addEventListener('online', comeBack);

count();
lookLater();
`;
