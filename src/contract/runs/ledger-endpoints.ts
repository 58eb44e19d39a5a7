import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import {
  Ledger,
  LedgerFlags,
  LedgerPeriod,
  LedgerQuery,
  LedgerReceipt,
  LedgerSettings,
  LedgerUpdate,
  ReceiptKey,
  Verification,
  VerifyInput,
} from './ledger.ts'

const loads = { project: 'project_id', batchExport: 'id' } as const
const ledger = '/api/projects/:project_id/batch_exports/:id/ledger/'
const read = 'batch_export:read'
const write = 'batch_export:write'

/** The endpoints of the delivery ledger. */
// prettier-ignore
export const ledgerEndpoints = {
  ledgerOfBatchExport: { method: 'GET',   path: ledger,                 loads, scope: read,  query: LedgerQuery, status: 200, response: Ledger, summary: 'List what runs wrote for each window of a period, and whether it is at the destination' },
  flagsOfLedger:       { method: 'GET',   path: `${ledger}flags/`,      loads, scope: read,  query: LedgerPeriod, status: 200, response: LedgerFlags, summary: 'List the windows of a period that need inspection, and why' },
  updateLedger:        { method: 'PATCH', path: ledger,                 loads, scope: write, body: LedgerUpdate, status: 200, response: LedgerSettings, summary: 'Choose when windows are verified without a request' },
  verifyLedger:        { method: 'POST',  path: `${ledger}verify/`,     loads, scope: write, body: VerifyInput, status: 201, response: Verification, summary: 'Read windows back from the destination, in the background' },
  downloadLedger:      { method: 'GET',   path: `${ledger}download/`,   loads, scope: read,  query: LedgerPeriod, status: 200, response: z.string(), produces: 'text/csv', summary: 'Download the windows of a period as CSV, newest first' },
  receiptOfLedger:     { method: 'GET',   path: `${ledger}receipt/`,    loads, scope: read,  query: LedgerPeriod, status: 200, response: LedgerReceipt, summary: 'Retrieve a signed receipt of a period' },
  getReceiptKey:       { method: 'GET',   path: '/api/receipt_key/',    scope: null, status: 200, response: ReceiptKey, summary: 'Retrieve the public key that checks the receipts of this installation' },
} as const satisfies Record<string, Endpoint>
