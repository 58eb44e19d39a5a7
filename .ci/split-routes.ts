import { parseSync, type ESTree, type Plugin } from 'vite'

/** The options of a route that are loaded with its page; the router needs the others before. */
const pageOptions = ['loader', 'component', 'errorComponent']

/** A file's `export const Route = createFileRoute(path)({ … })`, with the options that are loaded with the page. */
type Route = { path: string; statement: ESTree.Node; options: ESTree.ObjectProperty[] }

/**
 * Splits each file of a route in two, except those at the paths `together`: `page.tsx?page` has what the page loads and shows, and
 * `page.tsx` loads that on demand. The router's own plugin does the same, but takes nearly as long as the rest of the build. A
 * declaration that both need exists twice, so a route file must have no state and no class.
 */
export function splitRoutes({ together }: { together: readonly string[] }): Plugin {
  return {
    name: 'split-routes',
    apply: 'build',
    // Before types and JSX are replaced.
    enforce: 'pre',
    transform: {
      filter: { id: /\.tsx(\?page)?$/, code: 'createFileRoute(' },
      handler(code, id) {
        const [file = id, query] = id.split('?')
        const { body } = parseSync(file, code).program
        const route = body.map(routeIn).find((found) => found !== null)
        // Comments and strings may mention the function.
        if (!route && namesIn(body).has('createFileRoute'))
          return this.error(`${file}: expected "export const Route = createFileRoute('…')({ … })".`)
        if (!route || together.includes(route.path)) return null
        const edits = query === 'page' ? editsOfPage(code, file, route) : editsOfRoute(file, route)
        return { code: withoutUnused(file, edited(code, edits)), map: null }
      },
    },
  }
}

function routeIn(statement: ESTree.Node): Route | null {
  if (statement.type !== 'ExportNamedDeclaration' || statement.declaration?.type !== 'VariableDeclaration')
    return null
  const call = statement.declaration.declarations[0]?.init
  if (call?.type !== 'CallExpression' || call.callee.type !== 'CallExpression') return null
  const { callee, arguments: paths } = call.callee
  const [[path], [options]] = [paths, call.arguments]
  const isRoute = callee.type === 'Identifier' && callee.name === 'createFileRoute'
  if (!isRoute || path?.type !== 'Literal' || options?.type !== 'ObjectExpression') return null
  return {
    path: String(path.value),
    statement,
    options: options.properties
      .filter((property) => property.type === 'Property')
      .filter((property) => pageOptions.includes(nameOf(property))),
  }
}

function nameOf({ key }: ESTree.ObjectProperty): string {
  return key.type === 'Identifier' ? key.name : ''
}

/** The part of a module's text from `start` to `end` becomes `text`. */
type Edit = { start: number; end: number; text: string }

/** Loads the page's options from the other module. */
function editsOfRoute(file: string, { statement: { start }, options }: Route): Edit[] {
  const load = `() => import(${JSON.stringify(`${file}?page`)})`
  const imports = `import { lazyFn, lazyRouteComponent } from '@tanstack/react-router';\n`
  return [
    { start, end: start, text: imports },
    ...options.map((option) => {
      const name = nameOf(option)
      const lazy = name === 'loader' ? 'lazyFn' : 'lazyRouteComponent'
      return { ...rangeOf(option), text: `${name}: ${lazy}(${load}, '${name}')` }
    }),
  ]
}

/** Exports the page's options in place of the route. */
function editsOfPage(code: string, file: string, { statement, options }: Route): Edit[] {
  const imports = `import { Route } from ${JSON.stringify(file)};\n`
  const names = options.map(nameOf)
  // Whole properties, because some are methods.
  const properties = options.map(({ start, end }) => code.slice(start, end))
  const exports =
    `const { ${names.map((name) => `${name}: $${name}`).join(', ')} } = { ${properties.join(', ')} };\n` +
    `export { ${names.map((name) => `$${name} as ${name}`).join(', ')} };\n`
  return [{ ...rangeOf(statement), text: imports + exports }]
}

function rangeOf({ start, end }: ESTree.Node): { start: number; end: number } {
  return { start, end }
}

/** Applies edits that do not overlap. */
function edited(code: string, edits: readonly Edit[]): string {
  let text = code
  for (const { start, end, text: inserted } of edits.toSorted((one, other) => other.start - one.start))
    text = text.slice(0, start) + inserted + text.slice(end)
  return text
}

/**
 * Removes the imports, functions and constants that the rest of a module does not need, because nothing mentions their names. The
 * bundler would load with the first page all that its modules import, used or not.
 */
function withoutUnused(file: string, code: string): string {
  const { body } = parseSync(file, code).program
  // What declares nothing may have an effect: exports, expressions, imports without names.
  const needed = new Set(body.filter((statement) => declaredBy(statement).length === 0))
  // A set also yields what is added while it is read.
  for (const statement of needed) {
    const names = statement.type === 'ImportDeclaration' ? new Set() : namesIn(statement)
    for (const other of body) if (declaredBy(other).some((name) => names.has(name))) needed.add(other)
  }
  const unused = body.filter((statement) => !needed.has(statement))
  return edited(
    code,
    unused.map((statement) => ({ ...rangeOf(statement), text: '' })),
  )
}

/** Returns the names that a statement mentions, of whatever kind. */
function namesIn(part: unknown): Set<string> {
  if (typeof part !== 'object' || part === null) return new Set()
  const own = 'name' in part && typeof part.name === 'string' ? [part.name] : []
  return new Set([...own, ...Object.values(part).flatMap((each) => [...namesIn(each)])])
}

/** Returns the names that a statement declares for the module. */
function declaredBy(statement: ESTree.Node): string[] {
  if (statement.type === 'ImportDeclaration') return statement.specifiers.map(({ local }) => local.name)
  if (statement.type === 'VariableDeclaration')
    return statement.declarations.flatMap(({ id }) => [...namesIn(id)])
  return 'id' in statement ? [...namesIn(statement.id)] : []
}
