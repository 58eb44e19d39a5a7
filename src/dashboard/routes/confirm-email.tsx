import { createFileRoute, Link, useLocation } from '@tanstack/react-router'
import { useConfirmEmail } from '../queries/mailed-links.ts'
import { Button } from '../ui/controls/button.tsx'
import { Logo } from '../ui/icon.tsx'

/**
 * Confirms a new e-mail address with the link sent to it. It takes a click, because programs that check e-mails open links. The
 * token is in the fragment, which is not sent to the service with the page.
 */
export const Route = createFileRoute('/confirm-email')({ component: ConfirmEmailPage })

function ConfirmEmailPage() {
  const token = useLocation({ select: ({ hash }) => new URLSearchParams(hash).get('token') ?? '' })
  const confirm = useConfirmEmail()
  return (
    <main className="mx-auto flex min-h-dvh max-w-96 flex-col gap-5 px-4 pt-[12vh] pb-8">
      <title>Confirm your address · Spool</title>
      <h1 className="flex items-center gap-2 text-xl tracking-tight">
        <Logo /> Confirm your e-mail address
      </h1>
      {token === '' && <p>This link is incomplete. Copy all of it, or enter the address again.</p>}
      {confirm.data && (
        <>
          <output className="wrap-anywhere">Your e-mail address is now {confirm.data.email}.</output>
          <Link to="/" className="self-start underline underline-offset-3">
            Open Spool
          </Link>
        </>
      )}
      {token !== '' && !confirm.data && (
        <>
          <p className="text-ink-2">From then on, you sign in with this address, and e-mails go to it.</p>
          {confirm.error && (
            <p role="alert" className="text-fail-ink">
              {confirm.error.message}
            </p>
          )}
          <div>
            <Button look="primary" busy={confirm.isPending} onClick={() => confirm.mutate(token)}>
              Confirm
            </Button>
          </div>
        </>
      )}
    </main>
  )
}
