import { describe, expect, test } from 'vitest'
import type { Mark } from '../player/player-messages.ts'
import {
  consoleParts,
  consoleRows,
  consoleText,
  selectLines,
  splitStack,
  type LevelFilter,
} from './console-message.ts'

/** Arguments as the recorder serialises them. */
const line = (...args: unknown[]) => ({ parts: args.map((arg) => JSON.stringify(arg)), trace: [] })

describe('shows a line as the console does:', () => {
  test.each<[string, unknown[], unknown]>([
    [
      'texts and numbers',
      ['Total', 7, null],
      [{ text: 'Total' }, { text: ' ' }, { text: '7' }, { text: ' ' }, { text: 'null' }],
    ],
    ['objects and lists', [{ a: 1 }, [2]], [{ value: { a: 1 } }, { text: ' ' }, { value: [2] }]],
    [
      'styled parts',
      ['%cShop%c is %s', 'color: red; font-weight: bold', '', 'open', 'now'],
      [
        { text: 'Shop', style: { color: 'red', fontWeight: 'bold' } },
        { text: ' is ', style: {} },
        { text: 'open', style: {} },
        { text: ' ' },
        { text: 'now' },
      ],
    ],
    ['an object in the text', ['cart: %o', { a: 1 }], [{ text: 'cart: ', style: {} }, { value: { a: 1 } }]],
    [
      'a placeholder without an argument',
      ['50%c'],
      [
        { text: '50', style: {} },
        { text: '%c', style: {} },
      ],
    ],
    ['a percentage', ['100 % sure'], [{ text: '100 % sure' }]],
  ])('%s', (_, args, parts) => {
    expect(consoleParts(line(...args))).toEqual(parts)
  })

  test('text that the recorder cut off', () => {
    expect(consoleText({ parts: ['{"a":"x...[truncated]', '"b'], trace: [] })).toBe(
      '{"a":"x...[truncated] "b',
    )
  })
})

test.each([
  'background: url(https://evil.example/x)',
  'color: var(--x)',
  'color: expression(alert(1))',
  'color: red url(x)',
  'background-color: rgb(1,2,3);position: fixed; inset: 0',
  'font-size: 900px',
  'text-decoration: underline; content: "x"',
  '__proto__: red',
])('applies nothing but plain colours and fonts from “%s”', (css) => {
  const [part] = consoleParts(line('%cx', css))
  const style = part && 'style' in part ? part.style : {}
  expect([{}, { backgroundColor: 'rgb(1,2,3)' }, { textDecoration: 'underline' }]).toContainEqual(style)
})

test('separates the stack of an error from its message', () => {
  expect(
    splitStack(
      'TypeError: no lamp\n    at light (shop.js:1:2)\n    at shop.js:9:1\nEnd of stack for Error object',
    ),
  ).toEqual({
    message: 'TypeError: no lamp',
    stack: ['    at light (shop.js:1:2)', '    at shop.js:9:1'],
  })
  expect(splitStack('oh\nlight@https://shop.example/shop.js:1:2').stack).toEqual([
    'light@https://shop.example/shop.js:1:2',
  ])
  expect(splitStack('Meet me\nat noon? maybe')).toEqual({ message: 'Meet me', stack: ['at noon? maybe'] })
  expect(splitStack('two\nlines')).toEqual({ message: 'two\nlines', stack: [] })
})

test('filters lines by level, and searches in messages and stack traces', () => {
  const mark = (kind: Mark['kind'], text: string, trace?: string[]): Mark => ({
    kind,
    at: 0,
    text,
    detail: '',
    ...(trace && { line: { parts: [JSON.stringify(text)], trace } }),
  })
  const rows = consoleRows([
    mark('log', 'Opened', []),
    mark('click', 'Click'),
    mark('warn', 'Slow', []),
    mark('error', 'Broken', ['at lamp.js:1']),
  ])
  const texts = (...options: [LevelFilter, string]) => selectLines(rows, ...options).map(({ text }) => text)
  expect(texts('all', '')).toEqual(['Opened', 'Slow', 'Broken'])
  expect([texts('errors', ''), texts('warnings', ''), texts('logs', '')]).toEqual([
    ['Broken'],
    ['Slow'],
    ['Opened'],
  ])
  expect(texts('all', ' LAMP')).toEqual(['Broken'])
})
