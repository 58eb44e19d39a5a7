import type { Member } from '../../contract/accounts/member.ts'

type Named = Pick<Member, 'first_name' | 'email'>

export function memberName({ first_name: name, email }: Named): string {
  return name || email
}
