/** Returns a person's name or, without one, their e-mail address. */
export function memberName({ first_name: name, email }: { first_name: string; email: string }): string {
  return name || email
}
