import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/call.ts'
import { Dialog } from '../ui/controls/dialog.tsx'
import { TextField } from '../ui/controls/field.tsx'
import { Form, FormActions } from '../ui/controls/form.tsx'

/** Asks for the password before changes that someone at an unattended browser must not make. */
export function ConfirmIdentityDialog({ answer }: { answer: (isConfirmed: boolean) => void }) {
  const [password, setPassword] = useState('')
  const confirm = useMutation({
    mutationFn: () => call('confirmSession', { body: { password } }),
    onSuccess: () => answer(true),
  })
  return (
    <Dialog title="Confirm that it is you" onClose={() => answer(false)}>
      <Form onSubmit={() => confirm.mutate()}>
        <p className="text-ink-2">
          Enter your password to make this change: you last gave it more than 15 minutes ago.
        </p>
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
    </Dialog>
  )
}
