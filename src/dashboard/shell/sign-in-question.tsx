import { useSelector } from '@tanstack/react-store'
import { signInQuestion } from '../api/session.ts'
import { Button } from '../ui/controls/button.tsx'
import { Dialog } from '../ui/controls/dialog.tsx'
import { nameOf } from './session-dialogs.tsx'

/** Asks someone who opened a link that signs in, and who is signed in already, whether they want that. */
export function SignInQuestion() {
  const question = useSelector(signInQuestion)
  if (!question) return null
  const { user, other, answer } = question
  return (
    <Dialog title="Sign in as someone else?" onClose={() => answer(false)}>
      <p className="mb-4 text-ink-2 wrap-anywhere">
        You are signed in as {nameOf(user)} ({user.organization.name}). The link that you opened signs you in{' '}
        {other ? `as ${nameOf(other)} (${other.organization.name})` : 'as the person for whom it was made'},
        in all tabs. Continue only if you expected this.
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button data-cancel onClick={() => answer(false)}>
          Cancel
        </Button>
        <Button onClick={() => answer(true)}>Continue</Button>
      </div>
    </Dialog>
  )
}
