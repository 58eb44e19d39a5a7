import { type ESTree, parseAst, type Plugin } from 'vite'

/** Keys of an endpoint that the dashboard reads. The others describe requests, which only the service validates. */
const keptKeys = new Set(['method', 'path', 'response'])

/** Keeps the description of each endpoint's request, and the schemas that only requests use, out of the dashboard's bundle. */
export function withoutRequests(): Plugin {
  return {
    name: 'without-requests',
    apply: 'build',
    transform(code, id) {
      return /\/src\/contract\/[a-z-]+\/[a-z-]+-endpoints\.ts$/.test(id)
        ? { code: removeRequestKeys(code), map: null }
        : null
    },
  }
}

/**
 * Removes all but the kept keys from each entry of the module's table of endpoints. `code` is JavaScript.
 * @throws if the table is not an object literal of object literals
 */
export function removeRequestKeys(code: string): string {
  const pieces: string[] = []
  let end = 0
  for (const entry of entriesOfTable(parseAst(code))) {
    const kept = entry.properties.filter((property) => keptKeys.has(nameOf(property)))
    const properties = kept.map((property) => code.slice(property.start, property.end))
    pieces.push(code.slice(end, entry.start), `{ ${properties.join(', ')} }`)
    end = entry.end
  }
  return [...pieces, code.slice(end)].join('')
}

function entriesOfTable({ body }: ESTree.Program): ESTree.ObjectExpression[] {
  const table = body
    .map((statement) => (statement.type === 'ExportNamedDeclaration' ? statement.declaration : null))
    .flatMap((declaration) => (declaration?.type === 'VariableDeclaration' ? declaration.declarations : []))
    .find(({ id }) => id.type === 'Identifier' && /[eE]ndpoints$/.test(id.name))?.init
  return asObject(table).properties.map((property) => {
    nameOf(property)
    return asObject(property.type === 'Property' ? property.value : null)
  })
}

function asObject(node: ESTree.Expression | null | undefined): ESTree.ObjectExpression {
  if (node?.type !== 'ObjectExpression')
    throw new Error('A table of endpoints must be an object of plain objects.')
  return node
}

function nameOf(property: ESTree.ObjectPropertyKind): string {
  if (property.type === 'Property' && !property.computed) {
    if (property.key.type === 'Identifier') return property.key.name
    if (property.key.type === 'Literal') return String(property.key.value)
  }
  throw new Error('A table of endpoints must name its entries and their keys, without `...` and `[…]`.')
}
