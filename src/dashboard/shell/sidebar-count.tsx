import { counted } from '../format/amount.ts'

type SidebarCountProps = { amount: number; noun: string; state: string }

/** Shows how many objects behind a link need attention, unless none does. */
export function SidebarCount({ amount, noun, state }: SidebarCountProps) {
  if (amount === 0) return null
  return (
    <span className="ml-auto font-semibold text-fail-ink" title={`${counted(amount, noun)} ${state}`}>
      {amount}
      <span className="sr-only"> {state}</span>
    </span>
  )
}
