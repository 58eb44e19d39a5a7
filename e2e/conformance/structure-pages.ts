import type { ConformancePage } from './conformance-page.ts'

/** Pages with unusual documents, trees and style sheets. */
export const structurePages: readonly ConformancePage[] = [
  {
    name: 'adopted style sheets',
    body: `<h1>Adopted</h1><x-card></x-card>`,
    act: (page) =>
      page.evaluate(() => {
        const sheet = new CSSStyleSheet()
        sheet.replaceSync('h1 { color: crimson; font-size: 60px }')
        document.adoptedStyleSheets = [sheet]
        const root = document.querySelector('x-card')?.attachShadow({ mode: 'open' })
        if (!root) return
        root.innerHTML = '<p>In the shadow</p>'
        const inner = new CSSStyleSheet()
        inner.replaceSync('p { background: gold; padding: 20px }')
        root.adoptedStyleSheets = [inner]
        inner.insertRule('p { border: 4px solid teal }', 1)
      }),
    isFast: true,
  },
  {
    name: 'insertRule',
    head: `<style id="sheet">h1 { color: teal } @media all { p { color: navy } }</style>`,
    body: `<h1>Rules</h1><p>Added and removed by a script</p>`,
    act: (page) =>
      page.evaluate(() => {
        const { sheet } = document.querySelector<HTMLStyleElement>('#sheet') ?? {}
        sheet?.insertRule('body { background: #ffe }', 0)
        sheet?.insertRule('h1 { background: gold }', 1)
        const media = sheet?.cssRules[3]
        if (media instanceof CSSMediaRule) media.insertRule('p { font-size: 40px }', 1)
        const rule = sheet?.cssRules[1]
        if (rule instanceof CSSStyleRule) rule.style.setProperty('padding', '30px')
      }),
  },
  {
    name: 'styles of a CSS-in-JS library',
    head: `<style id="sheet"></style>`,
    body: `<h1 class="a">Inserted before recording</h1><p class="b">Inserted later</p>
      <script>document.querySelector('#sheet').sheet.insertRule('.a { color: crimson }')</script>`,
    act: (page) =>
      page.evaluate(() => {
        document
          .querySelector<HTMLStyleElement>('#sheet')
          ?.sheet?.insertRule('.b { background: gold; padding: 20px }', 1)
      }),
  },
  {
    name: 'disabled style sheet',
    head: `<link id="theme" rel="stylesheet" href="/theme.css">`,
    body: `<h1>Plain</h1><p class="card">Its sheet was disabled.</p>`,
    act: (page) =>
      page.evaluate(() => {
        const link = document.querySelector<HTMLLinkElement>('#theme')
        if (link) link.disabled = true
      }),
  },
  {
    name: 'print style sheet',
    head: `<link rel="stylesheet" media="print" href="/theme.css"><style media="print">h1 { color: red }</style>`,
    body: `<h1>On screen</h1><p class="card">Unstyled on a screen</p>`,
  },
  {
    name: 'shadow DOM',
    body: `<x-card><b slot="title">Slotted</b></x-card>
      <script>customElements.define('x-card', class extends HTMLElement {
        constructor() {
          super().attachShadow({ mode: 'open' }).innerHTML = '<style>:host { display: block; border: 3px solid teal; padding: 10px } ::slotted(b) { color: crimson }</style><slot name="title"></slot><p>Inside</p><x-inner></x-inner>'
        }
      })
      customElements.define('x-inner', class extends HTMLElement {
        constructor() { super().attachShadow({ mode: 'open' }).innerHTML = '<style>p { background: gold }</style><p>Nested</p>' }
      })</script>`,
    act: (page) =>
      page.evaluate(() => {
        const root = document.querySelector('x-card')?.shadowRoot
        root?.append(Object.assign(document.createElement('p'), { textContent: 'Added later' }))
      }),
  },
  {
    name: 'declarative shadow DOM',
    body: `<div><template shadowrootmode="open"><style>p { background: gold; padding: 20px }</style><p>Declared</p></template></div>`,
  },
  {
    name: 'custom elements',
    head: `<style>x-lamp { display: block; padding: 20px; background: #eef } x-lamp:not(:defined) { display: none }</style>`,
    body: `<x-lamp></x-lamp><script>customElements.define('x-lamp', class extends HTMLElement { connectedCallback() { this.textContent = 'A defined lamp' } })</script>`,
    act: (page) => page.evaluate(() => document.body.append(document.createElement('x-lamp'))),
  },
  {
    name: 'templates',
    body: `<template><p style="background: red">Never shown</p></template><main></main>`,
    act: (page) =>
      page.evaluate(() => {
        const template = document.querySelector('template')
        if (template) document.querySelector('main')?.append(template.content.cloneNode(true))
      }),
  },
  {
    name: 'iframes',
    body: `<iframe width="300" height="150" srcdoc="<style>body { background: #def }</style><h2>In a frame</h2><iframe srcdoc='<p>Deeper</p>'></iframe>"></iframe><p>Below</p>`,
    act: async (page) => {
      await page
        .frameLocator('iframe')
        .first()
        .getByRole('heading')
        .evaluate((heading) => {
          heading.textContent = 'Changed in a frame'
        })
    },
  },
  {
    name: 'blocked elements',
    body: `<p>Before</p><div class="ph-no-capture" style="width: 300px; height: 100px">Private</div><p>After</p>`,
  },
  {
    name: 'mutations: moves and replacements',
    body: `<ul>${Array.from({ length: 12 }, (_, item) => `<li>Item ${item}</li>`).join('')}</ul>`,
    act: (page) =>
      page.evaluate(() => {
        const list = document.querySelector('ul')
        const items = [...document.querySelectorAll('li')]
        list?.append(...items.toReversed())
        items[3]?.replaceWith(Object.assign(document.createElement('li'), { textContent: 'New' }))
        items[4]?.remove()
        items[5]?.append(items[6] ?? '', document.createElement('hr'))
        items[7]?.setAttribute('style', 'color: crimson')
        items[7]?.style.setProperty('background', 'gold')
        for (const text of items[8]?.childNodes ?? []) text.textContent = 'Other text'
      }),
  },
  {
    name: '20,000 nodes',
    body: `<main style="font: 4px/5px sans-serif; column-count: 12"></main>
      <script>document.querySelector('main').innerHTML = Array.from({ length: 10000 }, (_, n) => '<b>' + n + '</b> ').join('')</script>`,
    act: (page) =>
      page.evaluate(() => document.querySelectorAll('b:nth-child(7n)').forEach((node) => node.remove())),
  },
  {
    name: 'tables',
    head: `<style>table { border-collapse: collapse; width: 100% } td, th { border: 1px solid #888; padding: 6px } tr:nth-child(even) { background: #eef }</style>`,
    body: `<table><caption>Lamps</caption><thead><tr><th>Name<th colspan="2">Price</thead><tbody></tbody></table>`,
    act: (page) =>
      page.evaluate(() => {
        const body = document.querySelector('tbody')
        for (let number = 0; number < 6; number += 1) {
          const row = body?.insertRow()
          for (const text of ['Lamp', String(number), 'EUR']) row?.insertCell().append(text)
        }
      }),
  },
  {
    name: 'quirks mode',
    isQuirks: true,
    head: '<style>td { font-size: 20px } div { width: 200; color: #abc }</style>',
    body: `<table><tr><td>Old</table><p>Text</p>`,
  },
]
