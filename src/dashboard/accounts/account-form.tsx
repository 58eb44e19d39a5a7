import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { User } from '../../contract/accounts/user.ts'
import { passwordLength } from '../../contract/accounts/password-length.ts'
import { unknownEmail } from '../../contract/accounts/unknown-email.ts'
import { ApiProblem } from '../api/problem.ts'
import { signInOptionsQuery } from '../queries/account.ts'
import { useChangeUser } from '../queries/sessions.ts'
import { Button } from '../ui/controls/button.tsx'
import { TextField } from '../ui/controls/field.tsx'
import { Form } from '../ui/controls/form.tsx'

type AccountFormProps = {
  user: User
  submitLabel: string
  onSaved: () => void
  /** Other buttons. */
  children?: ReactNode
}

/** Changes the name, the e-mail address and, if one is entered, the password of the user. */
export function AccountForm({ user, submitLabel, onSaved, children }: AccountFormProps) {
  const isNew = user.email === unknownEmail
  const [name, setName] = useState(isNew ? '' : user.first_name)
  const [email, setEmail] = useState(isNew ? '' : user.email)
  const [password, setPassword] = useState('')
  const change = useChangeUser()
  const { data: options } = useQuery(signInOptionsQuery)
  const isMailed = !isNew && options?.sends_mail === true
  /** The address that counts once the link sent to it is opened. */
  const [entered, setEntered] = useState<string | null>(null)
  const save = () =>
    change.mutate(
      {
        first_name: name,
        ...(email !== user.email && { email }),
        ...(password !== '' && { password }),
      },
      {
        onSuccess: (saved) => {
          setPassword('')
          setEntered(saved.email === email ? null : email)
          setEmail(saved.email)
          onSaved()
        },
      },
    )
  const errorOf = (field: string) =>
    change.error instanceof ApiProblem && change.error.attr === field ? change.error.message : undefined
  const known = ['first_name', 'email', 'password'].some((field) => errorOf(field) !== undefined)
  return (
    <Form onSubmit={save}>
      <TextField
        label="Name"
        autoComplete="name"
        required
        maxLength={100}
        hint="Others see it where you change something."
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={errorOf('first_name')}
      />
      <TextField
        label="E-mail"
        type="email"
        autoComplete="username"
        required
        hint={isMailed && 'A new address counts once you open the link that is sent to it.'}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        error={errorOf('email')}
      />
      {entered !== null && (
        <output className="rounded-md border border-line-strong px-3 py-2 wrap-anywhere">
          A link was sent to {entered}: open it within a day. Until then, your address stays {user.email}.
        </output>
      )}
      <TextField
        label={user.has_password ? 'New password' : 'Password'}
        type="password"
        autoComplete="new-password"
        minLength={passwordLength.min}
        optional={!isNew}
        required={isNew}
        hint={`At least ${passwordLength.min} characters.${user.has_password ? ' A new one signs out your other browsers.' : ''}`}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={errorOf('password')}
      />
      {change.error && !known && (
        <p role="alert" className="text-fail-ink">
          {change.error.message}
        </p>
      )}
      <div className="flex gap-2">
        <Button look="primary" type="submit" busy={change.isPending}>
          {submitLabel}
        </Button>
        {children}
      </div>
    </Form>
  )
}
