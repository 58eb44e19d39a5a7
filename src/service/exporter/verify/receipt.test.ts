import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import type { LedgerReceipt } from '../../../contract/runs/ledger.ts'
import { checkReceipt, receiptKey, signReceipt } from './receipt.ts'

const keys = () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  return { signingKey: () => privateKey }
}
const receipt: LedgerReceipt['receipt'] = {
  version: 1,
  project: 1,
  export: { id: 'a', name: 'Daily', destination: 's3://bucket' },
  start: '2026-03-01T00:00:00Z',
  end: '2026-03-02T00:00:00Z',
  issued_at: '2026-03-03T00:00:00Z',
  totals: { windows: 1, states: { proven: 1 }, flags: {} },
  windows: [],
}

test('a receipt is valid with the key that signed it, whatever the order and space of its text', () => {
  const secrets = keys()
  const signed = signReceipt(secrets, receipt)
  const reordered = { ...signed, receipt: Object.fromEntries(Object.entries(signed.receipt).toReversed()) }
  for (const text of [JSON.stringify(signed), JSON.stringify(reordered, null, 2)])
    expect(checkReceipt(text, receiptKey(secrets))).toEqual(receipt)
})

test('a changed receipt, another key and other files are refused', () => {
  const secrets = keys()
  const signed = signReceipt(secrets, receipt)
  const key = receiptKey(secrets)
  const changed = { ...signed, receipt: { ...receipt, project: 2 } }
  const added = { ...signed, receipt: { ...receipt, note: 'x' } }
  for (const other of [changed, added])
    expect(() => checkReceipt(JSON.stringify(other), key)).toThrow('not valid')
  expect(() => checkReceipt(JSON.stringify(signed), receiptKey(keys()))).toThrow('another installation')
  expect(() => checkReceipt(JSON.stringify(signed), 'nonsense')).toThrow('public key cannot be read')
  for (const text of ['', 'null', '{}', '[1]']) expect(() => checkReceipt(text, key)).toThrow('not a receipt')
})
