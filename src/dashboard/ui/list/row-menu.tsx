import { Menu } from '../menu.tsx'
import { possibleFor } from './list-action.ts'
import type { RowList } from './use-list.ts'

type RowMenuProps<Row, Context, Sort extends string> = { row: Row; list: RowList<Row, Context, Sort> }

/** Shows the menu with all actions on one row of a list. */
export function RowMenu<Row, Context, Sort extends string>({
  row,
  list: { description, scopes, perform },
}: RowMenuProps<Row, Context, Sort>) {
  const items = Object.values(description.actions)
    .filter(({ inMenu }) => inMenu?.(row) !== false)
    .map((action) => ({
      label: action.menuLabel ?? action.label,
      reason: possibleFor(action, [row], scopes).reason,
      danger: action.danger === true,
      onSelect: () => perform(action, [row]),
    }))
  return <Menu label={`Actions for ${description.named([row])}`} items={items} />
}
