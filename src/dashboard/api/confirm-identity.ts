import { createAtom } from '@tanstack/react-store'

/** Answers the open question whether the user is present, which a dialog shows; null without one. */
export const identityQuestion = createAtom<((isConfirmed: boolean) => void) | null>(null)

/** Asks the user to confirm their identity; resolves to whether they did. Questions at the same time share an answer. */
export function confirmIdentity(): Promise<boolean> {
  return new Promise((resolve) => {
    const earlier = identityQuestion.get()
    identityQuestion.set(() => (isConfirmed) => {
      identityQuestion.set(() => null)
      earlier?.(isConfirmed)
      resolve(isConfirmed)
    })
  })
}
