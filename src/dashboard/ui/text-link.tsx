import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'

type Anchor = Omit<ComponentPropsWithRef<'a'>, 'className'>

/** A link in a text. */
export const TextLink = createLink(({ children, ...rest }: Anchor) => (
  <a {...rest} className="underline underline-offset-3">
    {children}
  </a>
))

/** A link to the page above, in a page's header. */
export const ParentLink = createLink(({ children, ...rest }: Anchor) => (
  <a {...rest} className="hover:text-ink">
    {children}
  </a>
))
