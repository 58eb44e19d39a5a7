import { Link } from '@tanstack/react-router'

/** Leads to the page on which a link to set a new password is asked for. */
export function ForgotPassword() {
  return (
    <Link to="/password" className="self-start text-ink-2 underline underline-offset-3 hover:text-ink">
      Forgot password?
    </Link>
  )
}
