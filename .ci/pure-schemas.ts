import { parseAst, type Plugin } from 'vite'

/** Lets the bundler drop schemas of the contract that the dashboard does not use: creating a schema has no side effects. */
export function pureSchemas(): Plugin {
  return {
    name: 'pure-schemas',
    apply: 'build',
    transform(code, id) {
      return /\/src\/(contract|replay\/recorded)\/.+\.ts$/.test(id)
        ? { code: markConstantsPure(code), map: null }
        : null
    },
  }
}

/** Marks the initializer of each top-level constant as free of side effects. `code` is JavaScript. */
export function markConstantsPure(code: string): string {
  const pieces: string[] = []
  let end = 0
  for (const { start, end: next } of initializers(code)) {
    pieces.push(code.slice(end, start), `/* @__PURE__ */ (() => (${code.slice(start, next)}))()`)
    end = next
  }
  return [...pieces, code.slice(end)].join('')
}

/** Positions of the initializers, in source order. Literals and functions have no side effects anyway. */
function initializers(code: string): { start: number; end: number }[] {
  return parseAst(code)
    .body.map((statement) =>
      statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement,
    )
    .flatMap((statement) => (statement?.type === 'VariableDeclaration' ? statement.declarations : []))
    .flatMap(({ init }) => (init && !/Literal|Function/.test(init.type) ? [init] : []))
}
