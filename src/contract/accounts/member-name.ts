/** Returns the name of a person or, if there is none, the e-mail address. */
export function memberName({ first_name: name, email }: { first_name: string; email: string }): string {
  return name || email
}
