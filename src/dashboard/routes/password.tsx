import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Link, useLocation } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { passwordLength } from '../../contract/accounts/password-length.ts'
import { signInOptionsQuery } from '../queries/account.ts'
import { useRequestPasswordReset, useResetPassword } from '../queries/mailed-links.ts'
import { Button } from '../ui/controls/button.tsx'
import { TextField } from '../ui/controls/field.tsx'
import { Form } from '../ui/controls/form.tsx'
import { ProblemNote } from '../ui/feedback/problem-note.tsx'
import { issuesByField } from '../ui/feedback/server-issues.ts'
import { Logo } from '../ui/icon.tsx'

/**
 * Asks for a link to set a new password or, opened by such a link, sets one. The token is in the fragment, which is not sent
 * to the service with the page.
 */
export const Route = createFileRoute('/password')({ component: PasswordPage })

function PasswordPage() {
  const token = useLocation({ select: ({ hash }) => new URLSearchParams(hash).get('token') ?? '' })
  return (
    <main className="mx-auto flex min-h-dvh max-w-96 flex-col gap-5 px-4 pt-[12vh] pb-8">
      <title>New password · Spool</title>
      <h1 className="flex items-center gap-2 text-xl tracking-tight">
        <Logo /> Set a new password
      </h1>
      {token === '' ? <AskForLink /> : <NewPassword key={token} token={token} />}
    </main>
  )
}

function AskForLink() {
  const options = useQuery(signInOptionsQuery)
  const [email, setEmail] = useState('')
  const ask = useRequestPasswordReset()
  if (options.error) return <ProblemNote error={options.error} onRetry={() => void options.refetch()} />
  if (!options.data) return <output className="appear-late text-ink-3">Loading…</output>
  if (!options.data.sends_mail)
    return (
      <>
        <p>
          This service sends no e-mail. Ask its administrator for a link that signs you in; then set a new
          password under <em>Your account</em>. The commands are:
        </p>
        <p className="flex flex-col gap-1 text-xs text-ink-2">
          <code>npm run --silent admin -- user reset-password --email ADDRESS</code>
          <code>npm run --silent admin -- sign-in-link --email ADDRESS</code>
        </p>
        <BackToSignIn />
      </>
    )
  if (ask.isSuccess)
    return (
      <>
        <output>
          If {email} has an account here, a link is on its way to it. It works once, within an hour.
        </output>
        <p className="text-ink-2">
          Nothing arrives? Look among your spam, check the address, or ask an owner of your organization.
        </p>
        <BackToSignIn />
      </>
    )
  const problem = fieldProblem(ask.error, 'email')
  return (
    <>
      <p className="text-ink-2">Enter the address of your account: it gets a link to set a new password.</p>
      <Form onSubmit={() => ask.mutate(email)}>
        <TextField
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page has no other purpose
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          error={problem}
        />
        {ask.error && problem === undefined && <ProblemNote error={ask.error} />}
        <div>
          <Button look="primary" type="submit" busy={ask.isPending}>
            Send a link
          </Button>
        </div>
      </Form>
      <BackToSignIn />
    </>
  )
}

function NewPassword({ token }: { token: string }) {
  const [password, setPassword] = useState('')
  const reset = useResetPassword()
  if (reset.isSuccess)
    return (
      <>
        <output>Your password is set, and all your browsers are signed out.</output>
        <BackToSignIn>Sign in with it</BackToSignIn>
      </>
    )
  const problem = fieldProblem(reset.error, 'password')
  return (
    <>
      <Form onSubmit={() => reset.mutate({ token, password })}>
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          required
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page has no other purpose
          autoFocus
          hint={`At least ${passwordLength.min} characters, such as four random words. It signs out all your browsers.`}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={problem}
        />
        {reset.error && problem === undefined && (
          <p role="alert" className="text-fail-ink">
            {reset.error.message}
          </p>
        )}
        <div>
          <Button look="primary" type="submit" busy={reset.isPending}>
            Set password
          </Button>
        </div>
      </Form>
      {reset.error && problem === undefined && (
        <Link to="/password" hash="" className="underline underline-offset-3">
          Ask for another link
        </Link>
      )}
    </>
  )
}

function BackToSignIn({ children = 'Back to sign-in' }: { children?: ReactNode }) {
  return (
    <Link to="/login" className="self-start underline underline-offset-3">
      {children}
    </Link>
  )
}

/** Returns what is wrong with a field, undefined if something else is. */
function fieldProblem(error: Error | null, field: string): string | undefined {
  return error ? issuesByField(error, [field]).fields[0]?.message : undefined
}
