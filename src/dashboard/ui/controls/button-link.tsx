import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'
import { buttonClass, useTip, type ButtonLook } from './button.tsx'

type Props = Omit<ComponentPropsWithRef<'a'>, 'className'> & { look?: ButtonLook; reason?: string | null }

function Anchor({ look = 'plain', reason = null, href, children, ...rest }: Props) {
  const { tip, ...tipProps } = useTip(reason)
  if (reason === null)
    return (
      <a {...rest} href={href} className={buttonClass(look)}>
        {children}
      </a>
    )
  return (
    <>
      <button type="button" {...tipProps} aria-disabled className={`${buttonClass(look)} opacity-60`}>
        {children}
      </button>
      {tip}
    </>
  )
}

/** A link that looks like a button; with a `reason` it is disabled and shows the reason. */
export const ButtonLink = createLink(Anchor)
