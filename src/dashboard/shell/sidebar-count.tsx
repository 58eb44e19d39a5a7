import { counted } from '../format/amount.ts'

/** Shows how many objects behind a link need attention, unless none does. */
export function SidebarCount({ amount, noun, state }: { amount: number; noun: string; state: string }) {
  if (amount === 0) return null
  return (
    <span className="ml-auto font-semibold text-fail-ink" title={`${counted(amount, noun)} ${state}`}>
      {amount}
      <span className="sr-only"> {state}</span>
    </span>
  )
}
