import { createPublicKey, sign, verify, type KeyObject } from 'node:crypto'
import { canonicalJson } from '../../../contract/canonical-json.ts'
import { LedgerReceipt } from '../../../contract/runs/ledger.ts'
import type { SecretBox } from '../../engines/secret-box.ts'

type Keys = Pick<SecretBox, 'signingKey'>

/** Returns the public key that checks the receipts signed with these secrets, in PEM. */
export function receiptKey(secrets: Keys): string {
  return createPublicKey(secrets.signingKey()).export({ type: 'spki', format: 'pem' }).toString()
}

export function signReceipt(secrets: Keys, receipt: LedgerReceipt['receipt']): LedgerReceipt {
  return { receipt, ...signatureOf(secrets, receipt) }
}

/** Signs the canonical JSON of a value. */
export function signatureOf(secrets: Keys, value: unknown) {
  const signature = sign(null, Buffer.from(canonicalJson(value)), secrets.signingKey()).toString('base64')
  return { algorithm: 'Ed25519' as const, public_key: receiptKey(secrets), signature }
}

/**
 * Checks a receipt against a public key in PEM. The key in the receipt itself proves nothing: anyone could have put it there.
 * @throws Error that says why the receipt is not valid.
 */
export function checkReceipt(text: string, publicKey: string): LedgerReceipt['receipt'] {
  const { receipt, signature } = parseReceipt(text)
  const bytes = Buffer.from(canonicalJson(receipt))
  if (!verify(null, bytes, readKey(publicKey), Buffer.from(signature, 'base64')))
    throw new Error('The receipt is not valid: it was changed, or signed by another installation.')
  return LedgerReceipt.shape.receipt.parse(receipt)
}

function readKey(publicKey: string): KeyObject {
  try {
    return createPublicKey(publicKey)
  } catch (cause) {
    throw new Error(
      'The public key cannot be read: it must be in PEM, as GET /api/receipt_key/ returns it.',
      {
        cause,
      },
    )
  }
}

/** Reads a receipt without dropping keys that only another version knows, since they are signed too. */
function parseReceipt(text: string): { receipt: unknown; signature: string } {
  try {
    const given: unknown = JSON.parse(text)
    const { signature } = LedgerReceipt.pick({ signature: true }).parse(given)
    return { receipt: Object(given).receipt ?? null, signature }
  } catch (cause) {
    throw new Error('The file is not a receipt.', { cause })
  }
}
