import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import {
  canSuggestPasskeys,
  passkeyForSignIn,
  passkeyProblem,
  PasskeyUnused,
  stopSuggesting,
} from '../api/passkey.ts'
import { signIn } from '../api/session.ts'
import { Button } from '../ui/controls/button.tsx'

/** Signs in with a passkey: by a button, or from the suggestions of the field for the e-mail address. */
export function PasskeySignIn({ onSignedIn }: { onSignedIn: () => void }) {
  const problem = passkeyProblem()
  const { mutate, isPending, error, variables } = useMutation({
    mutationFn: async (from: { autofill: boolean }) => signIn({ passkey: await passkeyForSignIn(from) }),
    onSuccess: onSignedIn,
  })
  useEffect(() => {
    let isShown = true
    void canSuggestPasskeys().then((can) => isShown && can && mutate({ autofill: true }))
    return () => {
      isShown = false
      void stopSuggesting()
    }
  }, [mutate])
  const isAsking = isPending && !variables.autofill
  // Nobody has asked for the suggestions, so their end is no failure.
  const failure = error && !(variables?.autofill && error instanceof PasskeyUnused) ? error : null
  return (
    <div className="flex flex-col gap-1">
      <div>
        <Button reason={problem} busy={isAsking} onClick={() => mutate({ autofill: false })}>
          Sign in with a passkey
        </Button>
      </div>
      {problem && <p className="text-xs text-ink-3">{problem}</p>}
      {failure && (
        <p role="alert" className="text-fail-ink wrap-anywhere">
          {failure.message}
        </p>
      )}
    </div>
  )
}
