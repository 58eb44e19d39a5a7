import { useMutation, useQuery } from '@tanstack/react-query'
import { createFileRoute, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { ForgotPassword } from '../accounts/forgot-password.tsx'
import { call } from '../api/call.ts'
import { isStatus } from '../api/problem.ts'
import { signedIn, signIn, stepIn } from '../api/session.ts'
import { CodeStep } from '../accounts/code-step.tsx'
import { PasskeySignIn } from '../accounts/passkey-sign-in.tsx'
import { sessionChanges } from '../api/shown-session.ts'
import { forgetUser, signInOptionsQuery } from '../queries/account.ts'
import { Button, buttonClass } from '../ui/controls/button.tsx'
import { TextField } from '../ui/controls/field.tsx'
import { Logo } from '../ui/icon.tsx'
import { flag, searchParams, text } from '../format/search-params.ts'
import { Form } from '../ui/controls/form.tsx'
import { localPath } from '../../contract/accounts/local-path.ts'
import type { SignInOptions } from '../../contract/accounts/session.ts'
import { signInProblemNames, signInProblems } from '../../contract/accounts/sign-in-problem.ts'
import type { SignInStep } from '../../contract/accounts/second-factor.ts'
import type { PersonalApiKey } from '../../contract/accounts/api-key.ts'
import type { User } from '../../contract/accounts/user.ts'
import { ProblemNote } from '../ui/feedback/problem-note.tsx'
import { scopeInWords } from '../format/scope.ts'

export const Route = createFileRoute('/login')({
  validateSearch: searchParams({
    // oxlint-disable-next-line unicorn/no-thenable -- a search parameter, never awaited
    then: localPath,
    problem: text,
    refused: flag,
  }),
  // A link in the page's URL may have begun a sign-in that a code completes.
  loader: () => signedIn().catch(() => null),
  // The next visit is another sign-in.
  gcTime: 0,
  component: LoginPage,
})

/** Fewest characters of a key. */
const keyLengthMin = 16

function LoginPage() {
  const { then: destination, refused, problem: given } = Route.useSearch()
  const problem = signInProblemNames.find((name) => name === given)
  const { queryClient } = Route.useRouteContext()
  const router = useRouter()
  const options = useQuery(signInOptionsQuery)
  const arrived: SignInStep | null = Route.useLoaderData()
  const [begun, setStep] = useState<SignInStep | null>()
  const step = begun === undefined ? arrived : begun
  const [ended, setEnded] = useState<string | null>(null)
  const enter = () => {
    forgetUser(queryClient)
    sessionChanges.post()
    router.history.push(destination ?? '/')
  }
  return (
    <main className="mx-auto flex min-h-dvh max-w-96 flex-col gap-5 px-4 pt-[12vh] pb-8">
      <title>Sign in · Spool</title>
      <div className="flex flex-col gap-2">
        <h1 className="flex items-center gap-2 text-xl tracking-tight">
          <Logo /> Sign in to Spool
        </h1>
        <p className="text-ink-2">
          Scheduled exports of your product data, each window proven, and recordings of what visitors did.
        </p>
      </div>
      {(ended ?? problem) && (
        <p role="alert" className="rounded-md border border-line-strong px-3 py-2">
          {ended ?? (problem && signInProblems[problem])}
        </p>
      )}
      {refused && !problem && !ended && !step && (
        <p role="alert" className="rounded-md border border-line-strong px-3 py-2">
          You are signed out: the session has ended, or the key or link was revoked, used or incomplete.
        </p>
      )}
      {step ? (
        <CodeStep
          step={step}
          onSignedIn={enter}
          onEnded={(reason) => {
            setEnded(reason)
            setStep(null)
          }}
        />
      ) : (
        options.data && (
          <Ways options={options.data} destination={destination} onSignedIn={enter} onStep={setStep} />
        )
      )}
      {options.error && <ProblemNote error={options.error} onRetry={() => void options.refetch()} />}
      <p className="text-xs text-ink-3">
        Locked out? Ask this service's administrator for a link. The command is{' '}
        <code className="whitespace-nowrap">npm run --silent admin -- sign-in-link</code>
      </p>
    </main>
  )
}

type WaysProps = {
  options: SignInOptions
  destination: string | undefined
  onSignedIn: () => void
  onStep: (step: SignInStep) => void
}

/** The ways to sign in that this service offers. */
function Ways({ options, destination, onSignedIn, onStep }: WaysProps) {
  return (
    <>
      {options.providers.length > 0 && (
        <nav aria-label="Identity providers" className="flex flex-col gap-2">
          {options.providers.map(({ id, name }) => (
            <a
              key={id}
              href={providerUrl(id, destination)}
              className={`${buttonClass('plain')} justify-center`}
            >
              <span className="truncate">Sign in with {name}</span>
            </a>
          ))}
        </nav>
      )}
      {options.passwords && <PasswordForm onSignedIn={onSignedIn} onStep={onStep} />}
      {options.passwords && <ForgotPassword />}
      {options.passkeys && <PasskeySignIn onSignedIn={onSignedIn} />}
      <details open={!options.passwords} className="group rounded-md border border-line">
        <summary className="px-3 py-2 text-ink-2">Sign in with an API key</summary>
        <div className="border-t border-line px-3 py-3">
          <KeyForm onSignedIn={onSignedIn} />
        </div>
      </details>
    </>
  )
}

/** The service leads from this address to the provider's page. */
function providerUrl(id: string, destination = '/'): string {
  return `/sign-in/${id}?${new URLSearchParams([['then', destination]]).toString()}`
}

type PasswordFormProps = Pick<WaysProps, 'onSignedIn' | 'onStep'>

function PasswordForm({ onSignedIn, onStep }: PasswordFormProps) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const enter = useMutation({
    mutationFn: () => signIn({ email, password }),
    onSuccess: (result) => {
      const step = stepIn(result)
      if (step) onStep(step)
      else onSignedIn()
    },
  })
  return (
    <Form onSubmit={() => enter.mutate()}>
      <TextField
        label="E-mail"
        type="email"
        autoComplete="username webauthn"
        required
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page has no other purpose
        autoFocus
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={enter.error?.message}
      />
      <div>
        <Button look="primary" type="submit" busy={enter.isPending}>
          Sign in
        </Button>
      </div>
    </Form>
  )
}

function KeyForm({ onSignedIn }: { onSignedIn: () => void }) {
  const [key, setKey] = useState('')
  const [tried, setTried] = useState(false)
  const check = useQuery({
    queryKey: ['login', key],
    queryFn: ({ signal }) => checkKey(key, signal),
    enabled: key.length >= keyLengthMin,
    retry: false,
  })
  const enter = useMutation({ mutationFn: () => signIn({ key }), onSuccess: onSignedIn })
  const submit = () => {
    setTried(true)
    if (key.length >= keyLengthMin) enter.mutate()
  }
  return (
    <Form onSubmit={submit}>
      <TextField
        label="API key"
        type="password"
        autoComplete="off"
        spellCheck={false}
        value={key}
        onChange={(event) => {
          setTried(false)
          enter.reset()
          setKey(event.target.value.trim())
        }}
        error={tried || check.isError ? loginError(key, enter.error, check.error) : undefined}
        hint="It begins with phx_. You are signed in with its scopes until you sign out or it is revoked."
      />
      {check.data && <KeyAbilities {...check.data} />}
      <div>
        <Button type="submit" busy={enter.isPending}>
          Sign in with the key
        </Button>
      </div>
    </Form>
  )
}

async function checkKey(key: string, signal: AbortSignal) {
  const [apiKey, user] = await Promise.all([
    call('getCurrentApiKey', {}, { key, signal }),
    call('getUser', {}, { key, signal }),
  ])
  return { apiKey, user }
}

/**
 * Says what is wrong with a key.
 * @param refused why the service did not sign in with it
 * @param unchecked why it could not be looked up while it was typed
 */
function loginError(key: string, refused: Error | null, unchecked: Error | null): string | undefined {
  if (key === '') return 'Paste an API key.'
  if (key.length < keyLengthMin) return 'This key is too short. Check that it is complete.'
  if (refused) return refused.message
  if (isStatus(unchecked, 401)) return 'The service does not know this key. It may be revoked or incomplete.'
  return unchecked?.message
}

/** A key's organization, projects and scopes. */
function KeyAbilities({ apiKey, user }: { apiKey: PersonalApiKey; user: User }) {
  const { scoped_teams: limit, scopes } = apiKey
  const projects = user.organization.teams.filter(({ id }) => limit?.includes(id) ?? true)
  return (
    <section aria-label="Permissions of this key" className="rounded-md border border-line px-3 py-2">
      <p className="font-medium">{apiKey.label}</p>
      <p className="text-ink-2">
        {user.organization.name}: {projects.map(({ name }) => name).join(', ') || 'no project'}
      </p>
      <ul className="mt-1 text-ink-2">
        {scopes.map((scope) => (
          <li key={scope}>
            <code>{scope}</code> <span className="text-ink-3">{scopeInWords(scope)}</span>
          </li>
        ))}
        {scopes.length === 0 && <li>This key has no scopes: it cannot do anything.</li>}
      </ul>
    </section>
  )
}
