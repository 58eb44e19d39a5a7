import { compile } from 'css-select'
import { AttributeAction, parse, SelectorType, type Selector } from 'css-what'
import type { PageNode } from '../../replay/page-nodes.ts'
import { attributesOf, tagOf, type Page } from '../../replay/page-tree.ts'

/** Combinators in one selector: more would take long to match. */
const combinatorsMax = 5
/** Parts whose match depends on the element and its ancestors alone, so that changes elsewhere on the page cannot end it. */
const allowedTypes: ReadonlySet<string> = new Set([
  SelectorType.Tag,
  SelectorType.Universal,
  SelectorType.Attribute,
  SelectorType.Descendant,
  SelectorType.Child,
])

/** Returns why a selector cannot choose the parts to mask; null if it can. */
export function checkSelector(text: string): string | null {
  const selectors = parsed(text)
  if (!selectors) return 'This is not a CSS selector. Write one such as .address or #total span.'
  if (!selectors.flat().every(isAllowed))
    return 'Use only tags, classes, ids, attributes, spaces, ">" and commas.'
  const isLong = selectors.some((selector) => selector.filter(isCombinator).length > combinatorsMax)
  return isLong ? `Use at most ${combinatorsMax} spaces and ">" in a selector.` : null
}

function parsed(text: string): Selector[][] | null {
  try {
    return parse(text)
  } catch {
    // css-what throws for any text that is not a selector; the caller says so.
    return null
  }
}

function isAllowed(token: Selector): boolean {
  const hasNamespace = 'namespace' in token && token.namespace !== null
  const isNegated = token.type === SelectorType.Attribute && token.action === AttributeAction.Not
  return allowedTypes.has(token.type) && !hasNamespace && !isNegated
}

function isCombinator({ type }: Selector): boolean {
  return type === SelectorType.Descendant || type === SelectorType.Child
}

/** The attributes on which the match of these selectors depends. */
export function attributesIn(selectors: readonly string[]): ReadonlySet<string> {
  const tokens = selectors.flatMap((text) => parsed(text)?.flat() ?? [])
  return new Set(tokens.flatMap((token) => (token.type === SelectorType.Attribute ? [token.name] : [])))
}

/** Returns a function that tells whether an element of the page matches one of the selectors. */
export function selectorMatcher(page: Page, selectors: readonly string[]): (node: PageNode) => boolean {
  if (selectors.length === 0) return () => false
  const parentOf = ({ parent }: PageNode) => page.nodes.get(parent) ?? null
  const childrenOf = (node: PageNode | null) => (node ? [...page.nodes.childrenOf(node)] : [])
  const attribute = (node: PageNode, name: string): string | undefined => {
    const value = attributesOf(node)[name]
    if (value === true) return ''
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
  }
  return compile<PageNode, PageNode>(
    selectors.flatMap((text) => parsed(text) ?? []),
    {
      // A page changes while its nodes stay the same objects.
      cacheResults: false,
      adapter: {
        isTag: (node): node is PageNode => tagOf(node) !== '',
        getName: tagOf,
        getAttributeValue: attribute,
        hasAttrib: (node, name) => attribute(node, name) !== undefined,
        getParent: parentOf,
        getChildren: childrenOf,
        getSiblings: (node) => childrenOf(parentOf(node)),
        getText: () => '',
        removeSubsets: (nodes) => nodes,
      },
    },
  )
}
