import { toast } from './toasts.ts'

/** Copies a text and shows `message`; shows `problem` if the browser blocks copying. */
export function copyText(
  text: string,
  message: string,
  problem = 'The browser blocked copying.',
): Promise<void> {
  return navigator.clipboard.writeText(text).then(
    () => toast(message),
    () => toast(problem, { tone: 'failed' }),
  )
}
