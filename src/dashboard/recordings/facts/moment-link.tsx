import { Link } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { secondsBefore } from '../../../contract/recordings/recording-facts.ts'

/** `at`: milliseconds since the recording's start. */
type MomentLinkProps = Pick<ComponentProps<'a'>, 'aria-label' | 'className' | 'children'> & {
  id: string
  at: number
}

/** Plays a recording from shortly before a moment. */
export function MomentLink({ id, at, ...rest }: MomentLinkProps) {
  return <Link to="/recordings/$id" params={{ id }} search={{ t: secondsBefore(at) }} {...rest} />
}
