import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'

/** A link to one of several views of the same object; the router marks the current one. */
export const TabLink = createLink(({ children, ...rest }: Omit<ComponentPropsWithRef<'a'>, 'className'>) => (
  <a
    {...rest}
    className="border-b-2 border-transparent pt-1.5 pb-2 text-ink-2 hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink"
  >
    {children}
  </a>
))
