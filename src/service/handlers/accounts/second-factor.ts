import { personsSession, type Caller } from '../../auth/caller.ts'
import { credentialsUser, lockCredentials, userOfCaller } from '../../auth/factors/own-credentials.ts'
import { newSecret, replaceCodes, timeStepOfSealed } from '../../auth/factors/second-factor.ts'
import { queueNotice } from '../../mail/account-notices.ts'
import { conflict, invalidInput } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import { countRecoveryCodes, removeSecondFactor } from '../../store/accounts/second-factors.ts'
import { audit } from '../../store/audit/audit-entries.ts'
import type { AuditValues } from '../../store/schema/audit-tables.ts'
import { inTransaction, type Store } from '../../store/schema/database.ts'
import { updateRows } from '../../store/schema/rows.ts'
import type { Handler } from '../handler.ts'

export const getSecondFactor: Handler<'getSecondFactor'> = async ({ services: { store }, caller }) => {
  personsSession(caller)
  const { totp_secret } = await userOfCaller(store, caller)
  return {
    enabled: totp_secret !== null,
    recovery_codes: await countRecoveryCodes(store, caller.userId),
  }
}

/** Creates a secret, which replaces one that has not been confirmed. */
export const beginSecondFactor: Handler<'beginSecondFactor'> = async ({ services, caller }) => {
  const user = await credentialsUser(services.store, caller)
  if (user.totp_secret) throw conflict('Two-step sign-in is on. To use another app, turn it off first.')
  if (user.password_hash === null)
    throw conflict('A code completes sign-ins with your password. Choose a password first.')
  const { sealed, shown } = newSecret(services.secrets, user)
  await updateRows(services.store, 'users', { id: user.id }, { totp_new_secret: sealed })
  return shown
}

export const finishSecondFactor: Handler<'finishSecondFactor'> = async ({ services, caller, body }) => {
  const { id, totp_new_secret } = await credentialsUser(services.store, caller)
  if (!totp_new_secret) throw conflict('Begin to set up the app first, then send its code.')
  const step = timeStepOfSealed(services, totp_new_secret, body.code)
  if (step === null)
    throw invalidInput(
      'This code is wrong. Enter the one that your app shows now, and check the clock of its device.',
      ['code'],
    )
  const recovery_codes = await inTransaction(services.store, async (transaction) => {
    await lockCredentials(transaction, caller)
    const secrets = { totp_secret: totp_new_secret, totp_new_secret: null, totp_step: step }
    const isNew = await updateRows(
      transaction,
      'users',
      { id, totp_new_secret },
      { ...secrets, code_tries: 0 },
    )
    if (isNew === 0) throw conflict('Another request has set up an app. Reload the page.')
    await auditFactor(services, transaction, caller, { second_factor: true })
    return replaceCodes(transaction, id)
  })
  return { recovery_codes }
}

export const replaceRecoveryCodes: Handler<'replaceRecoveryCodes'> = async ({ services, caller }) => {
  const recovery_codes = await inTransaction(services.store, async (transaction) => {
    const user = await lockCredentials(transaction, caller)
    if (!user.totp_secret) throw conflict('Two-step sign-in is off. Turn it on to get recovery codes.')
    await auditFactor(services, transaction, caller, { recovery_codes: 'replaced' })
    await queueNotice({ ...services, store: transaction }, 'recovery codes replaced', user)
    return replaceCodes(transaction, user.id)
  })
  return { recovery_codes }
}

export const deleteSecondFactor: Handler<'deleteSecondFactor'> = async ({ services, caller }) => {
  await inTransaction(services.store, async (transaction) => {
    const user = await lockCredentials(transaction, caller)
    await removeSecondFactor(transaction, user.id)
    if (!user.totp_secret) return
    await auditFactor(services, transaction, caller, { second_factor: false })
    await queueNotice({ ...services, store: transaction }, 'second factor removed', user)
  })
  return null
}

async function auditFactor(
  { clock }: Services,
  transaction: Store,
  { organizationId, userId, name }: Caller,
  after: AuditValues,
): Promise<void> {
  await audit(transaction, {
    organizationId,
    action: 'member.second_factor_changed',
    at: new Date(clock.now()),
    object: { id: userId, name },
    after,
  })
}
