import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/call.ts'
import { passkeyForConfirmation, passkeyProblem } from '../api/passkey.ts'
import { userQuery } from '../queries/account.ts'
import { Button } from '../ui/controls/button.tsx'
import { Dialog } from '../ui/controls/dialog.tsx'
import { TextField } from '../ui/controls/field.tsx'
import { Form, FormActions } from '../ui/controls/form.tsx'

type Answer = { answer: (isConfirmed: boolean) => void }

/** Asks for the password or a passkey before changes that someone at an unattended browser must not make. */
export function ConfirmIdentityDialog({ answer }: Answer) {
  const { data: user } = useQuery(userQuery)
  const hasPassword = user?.has_password ?? true
  return (
    <Dialog title="Confirm that it is you" onClose={() => answer(false)}>
      <div className="flex flex-col gap-4">
        <p className="text-ink-2">
          This change needs a confirmation, because your last one was more than 15 minutes ago.
        </p>
        {user !== undefined && user.passkeys > 0 && <WithPasskey answer={answer} />}
        {hasPassword && <WithPassword answer={answer} />}
      </div>
    </Dialog>
  )
}

function WithPasskey({ answer }: Answer) {
  const confirm = useMutation({
    mutationFn: async () => call('confirmSession', { body: { passkey: await passkeyForConfirmation() } }),
    onSuccess: () => answer(true),
  })
  return (
    <div className="flex flex-col items-start gap-1">
      <Button reason={passkeyProblem()} busy={confirm.isPending} onClick={() => confirm.mutate()}>
        Use a passkey
      </Button>
      {confirm.error && (
        <p role="alert" className="text-fail-ink wrap-anywhere">
          {confirm.error.message}
        </p>
      )}
    </div>
  )
}

function WithPassword({ answer }: Answer) {
  const [password, setPassword] = useState('')
  const confirm = useMutation({
    mutationFn: () => call('confirmSession', { body: { password } }),
    onSuccess: () => answer(true),
  })
  return (
    <Form onSubmit={() => confirm.mutate()}>
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={confirm.error?.message}
      />
      <FormActions
        onCancel={() => answer(false)}
        busy={confirm.isPending}
        reason={password === '' ? 'Enter your password.' : null}
      >
        Confirm
      </FormActions>
    </Form>
  )
}
