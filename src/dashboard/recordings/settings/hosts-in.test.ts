import { expect, test } from 'vitest'
import { hostsIn } from './hosts-in.ts'

test.each([
  ['', []],
  ['cdn.example\n\n img.example, CDN.example', ['cdn.example', 'img.example']],
  ['https://cdn.example:8080/a.png?b', ['cdn.example']],
  ['cdn.example/a', ['cdn.example/a']],
  ['*.example', ['*.example']],
  ['localhost:80', ['localhost:80']],
])('finds the hosts in %j', (text, hosts) => {
  expect(hostsIn(text)).toEqual(hosts)
})
