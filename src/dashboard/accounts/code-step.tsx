import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { SignInStep } from '../../contract/accounts/second-factor.ts'
import { ApiProblem } from '../api/problem.ts'
import { signIn } from '../api/session.ts'
import { Button } from '../ui/controls/button.tsx'
import { TextField } from '../ui/controls/field.tsx'
import { Form } from '../ui/controls/form.tsx'

type CodeStepProps = {
  step: SignInStep
  onSignedIn: () => void
  /** The sign-in has to begin again: why, or null if the user wants to. */
  onEnded: (reason: string | null) => void
}

/** Asks for the code that completes a sign-in: from the authenticator app, or one of the recovery codes. */
export function CodeStep({ step: { step }, onSignedIn, onEnded }: CodeStepProps) {
  const [isRecovery, setRecovery] = useState(false)
  const [code, setCode] = useState('')
  const enter = useMutation({
    mutationFn: () => signIn(isRecovery ? { step, recovery_code: code } : { step, code }),
    onSuccess: onSignedIn,
    onError: (error) => {
      if (error instanceof ApiProblem && error.code === 'sign_in_failed') onEnded(error.message)
    },
  })
  const change = () => {
    enter.reset()
    setCode('')
    setRecovery(!isRecovery)
  }
  const field = {
    required: true,
    // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form has no other purpose
    autoFocus: true,
    spellCheck: false,
    value: code,
    error: enter.error?.message,
  }
  return (
    <section aria-label="Second step">
      <Form onSubmit={() => enter.mutate()}>
        {isRecovery ? (
          <TextField
            key="recovery"
            label="Recovery code"
            autoComplete="off"
            autoCapitalize="none"
            maxLength={40}
            hint="One of the ten codes that you saved when you turned on two-step sign-in. Each works once."
            {...field}
            onChange={(event) => setCode(event.target.value)}
          />
        ) : (
          <TextField
            key="app"
            label="Code"
            autoComplete="one-time-code"
            inputMode="numeric"
            maxLength={12}
            hint="The six digits that your authenticator app shows for Spool."
            {...field}
            onChange={(event) => setCode(event.target.value)}
          />
        )}
        <div className="flex flex-wrap gap-2">
          <Button look="primary" type="submit" busy={enter.isPending}>
            Sign in
          </Button>
          <Button look="quiet" onClick={change}>
            {isRecovery ? 'Use a code from your app' : 'Use a recovery code'}
          </Button>
          <Button look="quiet" onClick={() => onEnded(null)}>
            Back
          </Button>
        </div>
      </Form>
    </section>
  )
}
