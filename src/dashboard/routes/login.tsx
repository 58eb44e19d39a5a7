import { useQuery } from '@tanstack/react-query'
import { createFileRoute, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../api/call.ts'
import { isStatus } from '../api/problem.ts'
import { session } from '../api/session.ts'
import { Button } from '../ui/controls/button.tsx'
import { CheckboxField, TextField } from '../ui/controls/field.tsx'
import { Logo } from '../ui/icon.tsx'
import { flag, searchParams, text } from '../format/search-params.ts'
import { Form } from '../ui/controls/form.tsx'
import type { PersonalApiKey, User } from '../../contract/accounts/api-key.ts'
import { scopeInWords } from '../format/scope.ts'

export const Route = createFileRoute('/login')({
  validateSearch: searchParams({
    // oxlint-disable-next-line unicorn/no-thenable -- a search parameter, never awaited
    then: localPath,
    refused: flag,
  }),
  component: LoginPage,
})

/** Another origin is never a destination. */
function localPath(value: unknown): string | undefined {
  return text(value)?.startsWith('/') ? text(value) : undefined
}

/** Fewest characters of a key. */
const keyLengthMin = 16

function LoginPage() {
  const { then: destination, refused } = Route.useSearch()
  const { queryClient } = Route.useRouteContext()
  const router = useRouter()
  const [key, setKey] = useState('')
  const [remember, setRemember] = useState(false)
  const [tried, setTried] = useState(false)
  const check = useQuery({
    queryKey: ['login', key],
    queryFn: ({ signal }) => checkKey(key, signal),
    enabled: key.length >= keyLengthMin,
    retry: false,
  })
  const signIn = async () => {
    setTried(true)
    const { data } = key.length >= keyLengthMin ? await check.refetch() : {}
    if (!data) return
    session.signIn(key, remember)
    queryClient.clear()
    router.history.push(destination ?? '/')
  }
  return (
    <main className="mx-auto flex min-h-dvh max-w-96 flex-col gap-5 px-4 pt-[14vh]">
      <title>Sign in · Spool</title>
      <h1 className="flex items-center gap-2 text-xl tracking-tight">
        <Logo /> Sign in to Spool
      </h1>
      {refused && key === '' && (
        <p role="alert" className="rounded-md border border-line-strong px-3 py-2">
          The key you were signed in with is no longer valid. It was revoked, or belongs to another
          installation.
        </p>
      )}
      <Form onSubmit={() => void signIn()}>
        <TextField
          label="API key"
          type="password"
          autoComplete="current-password"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page has no other purpose
          autoFocus
          spellCheck={false}
          value={key}
          onChange={(event) => {
            setTried(false)
            setKey(event.target.value.trim())
          }}
          error={tried || check.isError ? loginError(key, check.error) : undefined}
          hint={
            <>
              It begins with phx_. To get a URL with a key, run:{' '}
              <code className="whitespace-nowrap">npm run --silent admin -- sign-in-link</code>
            </>
          }
        />
        {check.data && <KeyAbilities {...check.data} />}
        <CheckboxField
          label="Remember on this device"
          hint="New tabs use the key too, until you sign out. Otherwise the key is removed when this tab is closed."
          checked={remember}
          onChange={(event) => setRemember(event.target.checked)}
        />
        <div>
          <Button look="primary" type="submit" busy={tried && check.isFetching}>
            Sign in
          </Button>
        </div>
      </Form>
    </main>
  )
}

async function checkKey(key: string, signal: AbortSignal) {
  const [apiKey, user] = await Promise.all([
    call('getCurrentApiKey', {}, { key, signal }),
    call('getUser', {}, { key, signal }),
  ])
  return { apiKey, user }
}

function loginError(key: string, error: Error | null): string | undefined {
  if (key === '') return 'Paste an API key.'
  if (key.length < keyLengthMin) return 'This key is too short. Check that it is complete.'
  if (isStatus(error, 401)) return 'The service does not know this key. It may be revoked or incomplete.'
  return error?.message
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
