import { roles, roleScopes } from '../../contract/accounts/roles.ts'
import { allowsScope, scopes, type Scope } from '../../contract/accounts/scopes.ts'
import { scopeInWords } from '../format/scope.ts'
import { Icon } from '../ui/icon.tsx'
import { Table, type Column } from '../ui/list/data-table.tsx'
import { roleLabels } from './role-words.ts'

/** Shows what each role lets members do. */
export function RoleTable() {
  return (
    <details className="mt-5">
      <summary className="mb-1.5 cursor-pointer font-medium">What each role may do</summary>
      <Table caption="Abilities by role" columns={columns} rows={scopes} rowKey={(scope) => scope} />
      <p className="mt-1.5 text-ink-3">
        Only an owner makes and changes owners, and changes how members sign in.
      </p>
    </details>
  )
}

const columns: readonly Column<Scope>[] = [
  { header: 'Ability', fills: true, cell: scopeInWords },
  ...roles.map((role) => ({
    header: roleLabels[role],
    cell: (scope: Scope) => <Mark allowed={allowsScope(roleScopes[role], scope)} />,
  })),
]

function Mark({ allowed }: { allowed: boolean }) {
  return allowed ? (
    <>
      <Icon name="check" />
      <span className="sr-only">yes</span>
    </>
  ) : (
    <span className="text-ink-3">
      <span aria-hidden>–</span>
      <span className="sr-only">no</span>
    </span>
  )
}
