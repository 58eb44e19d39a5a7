import { passwordLength } from '../../contract/accounts/password-length.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { createFileRoute, useLocation, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import type { InspectedInvite } from '../../contract/accounts/member.ts'
import { call } from '../api/call.ts'
import { isStatus } from '../api/problem.ts'
import { roleAbilities, roleLabels } from '../members/role-words.ts'
import { sessionChanges } from '../api/shown-session.ts'
import { forgetUser, userQuery } from '../queries/account.ts'
import { inspectedInviteQuery } from '../queries/members.ts'
import { Button, type ButtonLook } from '../ui/controls/button.tsx'
import { TextField } from '../ui/controls/field.tsx'
import { Form } from '../ui/controls/form.tsx'
import { ProblemNote } from '../ui/feedback/problem-note.tsx'
import { issuesByField } from '../ui/feedback/server-issues.ts'
import { Logo } from '../ui/icon.tsx'
import { RelativeTime } from '../ui/time.tsx'

/** Accepts an invite, whose token is in the URL's fragment, which is not sent to the service with the page. */
export const Route = createFileRoute('/join')({ component: JoinPage })

function JoinPage() {
  const token = useLocation({ select: ({ hash }) => new URLSearchParams(hash).get('invite') ?? '' })
  const invite = useQuery({ ...inspectedInviteQuery(token), enabled: token !== '' })
  return (
    <main className="mx-auto flex min-h-dvh max-w-96 flex-col gap-5 px-4 pt-[12vh] pb-8">
      <title>Join · Spool</title>
      <h1 className="flex items-center gap-2 text-xl tracking-tight wrap-anywhere">
        <span className="shrink-0">
          <Logo />
        </span>
        {invite.data ? `Join ${invite.data.organization}` : 'Join an organization'}
      </h1>
      {token === '' && <p>This link is incomplete. Copy all of it, or ask for another one.</p>}
      {isStatus(invite.error, 404) && <p role="alert">{invite.error.message}</p>}
      {invite.error && !isStatus(invite.error, 404) && (
        <ProblemNote error={invite.error} onRetry={() => void invite.refetch()} />
      )}
      {token !== '' && invite.isPending && <output className="appear-late text-ink-3">Loading…</output>}
      {invite.data && <Offer key={token} token={token} invite={invite.data} />}
    </main>
  )
}

type OfferProps = { token: string; invite: InspectedInvite }

function Offer({ token, invite }: OfferProps) {
  const { queryClient } = Route.useRouteContext()
  const router = useRouter()
  const user = useQuery(userQuery)
  const [account, setAccount] = useState<'new' | 'existing'>('new')
  const enter = () => {
    forgetUser(queryClient)
    sessionChanges.post()
    router.history.push('/')
  }
  const ability = roleAbilities[invite.role]
  const isSignedIn = user.data !== undefined && user.data.key === null
  if (user.isPending) return null
  return (
    <>
      <p className="text-ink-2">
        {invite.is_limited ? (
          'You are invited to some of its projects.'
        ) : (
          <>
            You are invited as an{' '}
            <strong className="text-ink">{roleLabels[invite.role].toLowerCase()}</strong>, who{' '}
            {ability.charAt(0).toLowerCase() + ability.slice(1)}
          </>
        )}{' '}
        The invite expires <RelativeTime time={invite.expires_at} />.
      </p>
      {isSignedIn && <JoinSignedIn token={token} name={user.data.email} onJoined={enter} />}
      <JoinForm
        key={account}
        account={account}
        token={token}
        email={invite.email}
        look={isSignedIn ? 'plain' : 'primary'}
        onJoined={enter}
      />
      <div>
        <Button look="quiet" onClick={() => setAccount(account === 'new' ? 'existing' : 'new')}>
          {account === 'new' ? 'I have an account' : 'I have no account yet'}
        </Button>
      </div>
    </>
  )
}

/** Offers to join with the account that is signed in. */
function JoinSignedIn({ token, name, onJoined }: { token: string; name: string; onJoined: () => void }) {
  const join = useMutation({
    mutationFn: () => call('joinByInvite', { body: { token } }),
    onSuccess: onJoined,
  })
  return (
    <section className="flex flex-col gap-3 border-b border-line pb-5">
      <p className="wrap-anywhere">You are signed in as {name}.</p>
      {join.error && <ProblemNote error={join.error} />}
      <div>
        <Button look="primary" busy={join.isPending} onClick={() => join.mutate()}>
          Join with this account
        </Button>
      </div>
    </section>
  )
}

type JoinFormProps = {
  account: 'new' | 'existing'
  token: string
  /** The only address that can accept the invite; null: any. */
  email: string | null
  look: ButtonLook
  onJoined: () => void
}

const fieldNames = ['first_name', 'email', 'password'] as const

function JoinForm({ account, token, email: invited, look, onJoined }: JoinFormProps) {
  const [name, setName] = useState('')
  const [email, setEmail] = useState(invited ?? '')
  const [password, setPassword] = useState('')
  const isNew = account === 'new'
  const join = useMutation({
    mutationFn: () =>
      call('acceptInvite', { body: { token, email, password, ...(isNew && { first_name: name }) } }),
    onSuccess: onJoined,
  })
  const issues = join.error ? issuesByField(join.error, fieldNames) : { fields: [], rest: [] }
  const errorOf = (field: (typeof fieldNames)[number]) =>
    issues.fields.find(({ name: found }) => found === field)?.message
  return (
    <Form onSubmit={() => join.mutate()}>
      {isNew && (
        <TextField
          label="Name"
          autoComplete="name"
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={errorOf('first_name')}
        />
      )}
      <TextField
        label="E-mail"
        type="email"
        autoComplete="username"
        required
        readOnly={invited !== null}
        hint={invited !== null && 'Only this address can accept the invite.'}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        error={errorOf('email')}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete={isNew ? 'new-password' : 'current-password'}
        required
        hint={isNew && `At least ${passwordLength.min} characters, such as four random words.`}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={errorOf('password')}
      />
      {issues.rest.length > 0 && join.error && <ProblemNote error={join.error} />}
      <div>
        <Button look={look} type="submit" busy={join.isPending}>
          {isNew ? 'Create account and join' : 'Sign in and join'}
        </Button>
      </div>
    </Form>
  )
}
