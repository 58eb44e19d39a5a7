import { useState } from 'react'
import type { ApiProblem } from '../../api/problem.ts'
import { Button } from '../../ui/controls/button.tsx'
import { TextField } from '../../ui/controls/field.tsx'
import { Form } from '../../ui/controls/form.tsx'

type PasswordFormProps = { problem: ApiProblem; busy: boolean; onTry: (password: string) => void }

/** Asks for the password of a link. */
export function PasswordForm({ problem, busy, onTry }: PasswordFormProps) {
  const [text, setText] = useState('')
  const isRefused = problem.code !== 'password_required'
  return (
    <Form onSubmit={() => text !== '' && onTry(text)}>
      <TextField
        label="Password"
        type="password"
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
        error={isRefused ? refusal(problem) : undefined}
        hint="Ask the person who sent you the link for it."
      />
      <div>
        <Button look="primary" type="submit" busy={busy}>
          Watch
        </Button>
      </div>
    </Form>
  )
}

function refusal({ status, retryAfterMs }: ApiProblem): string {
  if (status !== 429) return 'Wrong password.'
  const seconds = Math.ceil((retryAfterMs ?? 60_000) / 1000)
  return `Too many attempts. Wait ${seconds} seconds, then try again.`
}
