import { Passkey } from '../../../contract/accounts/passkey.ts'
import { personsSession, type Caller } from '../../auth/caller.ts'
import { assertOwnCredentials, credentialsUser, lockCredentials } from '../../auth/factors/own-credentials.ts'
import { requestNewPasskey, requestPasskey, verifyNewPasskey } from '../../auth/factors/passkeys.ts'
import { queueNotice } from '../../mail/account-notices.ts'
import { conflict, invalidInput } from '../../problems/api-error.ts'
import { passkeysOf, type PasskeyRow } from '../../store/accounts/passkeys.ts'
import { audit } from '../../store/audit/audit-entries.ts'
import { inTransaction } from '../../store/schema/database.ts'
import { newId } from '../../store/schema/identifier.ts'
import { deleteRows, findRow, updateRow } from '../../store/schema/rows.ts'
import type { Handler } from '../handler.ts'
import { shownAs } from '../shown-as.ts'

const passkeysMax = 20

export const listPasskeys: Handler<'listPasskeys'> = async ({ services: { store }, caller }) => {
  personsSession(caller)
  return (await passkeysOf(store, caller.userId)).map(showPasskey)
}

export const beginPasskeyConfirmation: Handler<'beginPasskeyConfirmation'> = async ({
  services,
  caller,
  client,
}) => {
  const use = { purpose: 'confirm', session_id: personsSession(caller).id } as const
  return requestPasskey(services, client, use, { id: caller.userId })
}

export const beginPasskey: Handler<'beginPasskey'> = async ({ services, caller, client }) => {
  const user = await credentialsUser(services.store, caller)
  return requestNewPasskey(services, client, registering(caller), user)
}

export const createPasskey: Handler<'createPasskey'> = async ({ services, caller, client, body }) => {
  const { store, clock } = services
  const { id: user_id } = await credentialsUser(services.store, caller)
  const verified = await verifyNewPasskey(services, client, registering(caller), body)
  const created_at = new Date(clock.now())
  const row = {
    id: newId(clock.now()),
    user_id,
    name: body.name,
    created_at,
    last_used_at: null,
    ...verified,
  }
  await inTransaction(store, async (transaction) => {
    const user = await lockCredentials(transaction, caller)
    if ((await passkeysOf(transaction, user_id)).length >= passkeysMax)
      throw invalidInput(`You have ${passkeysMax} passkeys. Remove one that you no longer use first.`)
    const inserted = await transaction
      .insertInto('passkeys')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    if (inserted.numInsertedOrUpdatedRows !== 1n) throw invalidInput('This passkey has been added already.')
    await audit(transaction, {
      organizationId: caller.organizationId,
      action: 'passkey.created',
      at: created_at,
      object: { id: row.id, name: row.name },
      after: { host: row.host },
    })
    await queueNotice({ ...services, store: transaction }, 'passkey added', user)
  })
  return showPasskey(row)
}

export const updatePasskey: Handler<'updatePasskey'> = async ({
  services: { store },
  caller,
  passkey,
  body,
}) => {
  await assertOwnCredentials(store, caller)
  return showPasskey((await updateRow(store, 'passkeys', { id: passkey.id }, body)) ?? passkey)
}

/** Removes a passkey, unless the user could not sign in any more. */
export const deletePasskey: Handler<'deletePasskey'> = async ({ services: { store }, caller, passkey }) => {
  await inTransaction(store, async (transaction) => {
    const user = await lockCredentials(transaction, caller)
    const others = (await passkeysOf(transaction, caller.userId)).filter(({ id }) => id !== passkey.id)
    const identity = await findRow(transaction, 'user_identities', { user_id: caller.userId })
    if (user.password_hash === null && others.length === 0 && !identity)
      throw conflict('You sign in with this passkey alone. Choose a password or add another passkey first.')
    await deleteRows(transaction, 'passkeys', { id: passkey.id, user_id: caller.userId })
  })
  return null
}

function registering(caller: Caller) {
  return { purpose: 'register', session_id: personsSession(caller).id } as const
}

function showPasskey(row: PasskeyRow): Passkey {
  return shownAs(Passkey, row)
}
