import { describe, expect, it } from 'vitest';
import { curlOf } from '../src/commands/conformance/curl.ts';
import { bashLines, bashWords, fishLines, zshLines } from '../src/completion/shells.ts';

describe('a request as a command line of curl', () => {
  const url = 'https://shop.example/api/games';
  const ordered = {
    method: 'POST',
    url,
    headers: [
      ['Accept', 'a'],
      ['Content-Type', 'b'],
    ] as [string, string][],
  };

  it('leaves out headers that curl adds, and uses a shell variable for a key', () => {
    expect(curlOf({ method: 'GET', url, headers: [['X-API-KEY', '$TOPUP_API_KEY']] })).toBe(
      [`curl -i ${url}`, `  -H 'Accept:'`, `  -H "X-API-KEY: \${TOPUP_API_KEY}"`].join(' \\\n'),
    );
  });

  it.each<[string, Parameters<typeof curlOf>[0], string[]]>([
    [
      'names an unusual method',
      { method: 'HEAD', url, headers: [['accept', 'x']] },
      [`curl -i -X HEAD ${url}`, `  -H 'accept: x'`],
    ],
    [
      'quotes an address that the shell would interpret',
      { method: 'GET', url: `${url}?a=1&b=it's`, headers: [['Accept', 'x']] },
      [`curl -i '${url}?a=1&b=it'\\''s'`, `  -H 'Accept: x'`],
    ],
    [
      'sends an empty header without a value',
      {
        method: 'GET',
        url,
        headers: [
          ['Accept', 'x'],
          ['X-API-KEY', ''],
        ],
      },
      [`curl -i ${url}`, `  -H 'Accept: x'`, `  -H 'X-API-KEY;'`],
    ],
    [
      'also leaves out the type of a body',
      { method: 'POST', url, headers: [], body: '{}' },
      [`curl -i ${url}`, `  -H 'Accept:'`, `  -H 'Content-Type:'`, `  --data-raw '{}'`],
    ],
    [
      'names a method that does not follow from the body',
      { method: 'PUT', url, headers: ordered.headers, body: '' },
      [`curl -i -X PUT ${url}`, `  -H 'Accept: a'`, `  -H 'Content-Type: b'`, `  --data-raw ''`],
    ],
    [
      'escapes characters that the shell would interpret next to a key',
      {
        method: 'GET',
        url,
        headers: [
          ['Accept', 'x'],
          ['X-API-KEY', 'a"`$b$TOPUP_API_KEY'],
        ],
      },
      [`curl -i ${url}`, `  -H 'Accept: x'`, `  -H "X-API-KEY: a\\"\\\`\\$b\${TOPUP_API_KEY}"`],
    ],
  ])('%s', (_what, request, lines) => {
    expect(curlOf(request)).toBe(lines.join(' \\\n'));
  });

  it('writes long JSON over several lines only if its meaning stays the same', () => {
    const json = JSON.stringify({ a: 'x'.repeat(60) });
    const bodyOf = (body: string) => curlOf({ ...ordered, body }).split('--data-raw ')[1];
    expect(bodyOf(json)).toBe(`'${JSON.stringify(JSON.parse(json), null, 2)}'`);
    for (const kept of [json.replace(':', ': '), json.slice(1), 'x'.repeat(61)])
      expect(bodyOf(kept)).toBe(`'${kept}'`);
  });

  it('describes a body of more than 4,000 characters instead of printing it', () => {
    const last = (length: number) =>
      curlOf({ ...ordered, body: 'x'.repeat(length) })
        .split('\n')
        .at(-1);
    expect(last(4_001)).toBe('  --data-binary @body  # a body of 4001 characters, not shown here');
    expect(last(4_000)).toMatch(/^ {2}--data-raw 'x+'$/);
  });
});

describe('a line of bash', () => {
  it.each([
    ['topup ', ['']],
    ['topup ga', ['ga']],
    ['topup games  list x', ['games', 'list', 'x']],
    [`topup 'a b' "c 'd'" e\\ f`, ['a b', "c 'd'", 'e f']],
    [`topup 'a b`, ['a b']],
    [`topup "a\\"b`, ['a"b']],
    [`topup 'a\\b'`, ['a\\b']],
    [`topup ''`, ['']],
    ['cd x; topup ga', ['ga']],
    ['cat x | topup ga', ['ga']],
    ['cd x && topup ga', ['ga']],
    ['(topup ga', ['ga']],
    ['topup x > file', ['x', 'file']],
    ['topup x < file', ['x', 'file']],
    ['topup a\\\\b', ['a\\b']],
    ['topup "a b"c', ['a bc']],
    ['topup a"b c"', ['ab c']],
    ['topup "it\'s"', ["it's"]],
    ['topup a\tb', ['a', 'b']],
    ['', []],
  ])('splits %s into the words %j', (line, words) => {
    expect(bashWords(line)).toEqual(words);
  });

  const breaks = ' \t\n"\'><=;|&(:';
  const one = (line: string, value: string, prefix = '') =>
    bashLines({ prefix, values: [{ value }] }, [line, breaks, '9', '80']);

  it.each([
    ['a word', 'topup ga', 'games', '', ['games']],
    ['a word that the shell would interpret', 'topup ', `a b'c`, '', [`a\\ b\\'c`]],
    ['a word in single quotes', `topup 'a`, `a b'c`, '', [`a b'\\''c`]],
    ['a word in double quotes', 'topup "a', 'a "$`\\!', '', ['a \\"\\$\\`\\\\\\!']],
    ['what follows a colon, where bash begins a word', 'topup file:/t', 'file:/tmp', '', ['/tmp']],
    ['what follows the last =', 'topup --a=b=', 'b=c', '--a=', ['c']],
    ['what follows an @, where bash begins no word', 'topup a@', 'a@b', '', ['a@b']],
    ['a word in quotes that contains a colon', 'topup "file:/t', 'file:/tmp', '', ['file:/tmp']],
    ['a word that the shell would interpret, after a colon', 'topup a:b', 'a:b c', '', ['b\\ c']],
    ['a flag with its value', 'topup --game', 'mobile-legends', '--game=', ['--game=mobile-legends']],
    ['letters of any script', 'topup ', 'é', '', ['\\é']],
  ])('completes a line of bash with %s', (_what, line, value, prefix, expected) => {
    expect(one(line, value, prefix)).toEqual(expected);
  });

  it('completes a line of bash with files', () => {
    expect(bashLines({ prefix: '', values: 'files' }, ['topup ', breaks, '9', '80'])).toEqual([':files']);
  });

  it('shows no description for a single completion', () => {
    const values = [{ value: 'games', about: 'Show games' }];
    expect(bashLines({ prefix: '', values }, ['topup ', breaks, '9', '80'])).toEqual(['games']);
  });

  it('completes nothing if there is no value', () => {
    expect(bashLines({ prefix: '', values: [] }, ['topup ', breaks, '9', '80'])).toEqual([]);
  });

  it("escapes control characters in a completion's description", () => {
    const values = [{ value: 'a', about: 'x\u001b[2J' }, { value: 'bcd' }];
    expect(bashLines({ prefix: '', values }, ['topup ', breaks, '9', '80'])).toEqual([
      'a    (x\\u{1b}[2J)',
      'bcd',
    ]);
  });

  it('lists several values with descriptions if there is space, but not in a menu', () => {
    const values = [{ value: 'games', about: 'Show games, their products' }, { value: 'keys' }];
    const lines = (type: string, columns: string) =>
      bashLines({ prefix: '', values }, ['topup ', breaks, type, columns]);
    expect(lines('9', '80')).toEqual(['games  (Show games, their products)', 'keys']);
    expect(lines('9', '22')).toEqual([expect.stringMatching(/^games {2}\(Show.*…\)$/), 'keys']);
    expect(lines('9', '20')).toEqual(['games', 'keys']);
    expect(lines('37', '80')).toEqual(['games', 'keys']);
  });
});

describe('lines of other shells', () => {
  const values = [{ value: 'a:b\\c', about: 'first\nline' }, { value: 'd' }];

  it('prints a value and a description with a colon for zsh', () => {
    expect(zshLines({ prefix: '--game=', values })).toEqual(['a\\:b\\\\c:first line', 'd']);
    expect(zshLines({ prefix: '', values: 'files' })).toEqual([':files']);
  });

  it('prints a whole word and a description with a tab for fish', () => {
    expect(fishLines({ prefix: '--game=', values })).toEqual(['--game=a:b\\c\tfirst line', '--game=d']);
    expect(fishLines({ prefix: '', values: 'files' })).toEqual([':files']);
  });
});
