import { expect, test } from 'vitest'
import { where } from './error-list.tsx'

test('says where an error occurs, and how many of its sessions cannot be watched', () => {
  const place = (name: string) => ({ name, recordings: 1 })
  const row = {
    pages: [place('/cart'), place('/')],
    browsers: [place('Firefox')],
    unrecorded: 0,
    session_ids: ['a'],
  }
  expect(where(row)).toBe('/cart, / · Firefox')
  expect(where({ ...row, unrecorded: 2 })).toBe('/cart, / · Firefox · 2 sessions without a recording')
  expect(where({ pages: [], browsers: [], unrecorded: 3, session_ids: [] })).toBe(
    'No recording: deleted, expired or never made',
  )
})
