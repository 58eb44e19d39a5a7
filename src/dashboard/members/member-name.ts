import type { Member } from '../../contract/accounts/member.ts'

type Named = Pick<Member, 'first_name' | 'email'>

export function memberName({ first_name: name, email }: Named): string {
  return name || email
}

/** Returns one or two letters of a name or, without a name, of the address. */
export function initialsOf(member: Named): string {
  const words = memberName(member).match(/[\p{L}\p{N}]+/gu) ?? []
  const [first = '?', last] = member.first_name ? [words[0], words.slice(1).at(-1)] : [words[0]]
  return `${[...first][0]}${last ? [...last][0] : ''}`.toUpperCase()
}
