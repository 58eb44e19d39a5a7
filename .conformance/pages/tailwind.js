import './tailwind.css'

document.querySelector('#root').innerHTML = `
  <main class="mx-auto max-w-xl space-y-4 p-6">
    <h1 class="bg-linear-to-r from-teal-600 to-amber-400 bg-clip-text text-4xl font-bold text-transparent">Lamps</h1>
    <form class="grid grid-cols-2 gap-4 rounded-xl border border-slate-200 p-4 shadow-lg">
      <label class="text-sm text-slate-600">Name <input aria-label="Name" class="mt-1 w-full rounded border px-2 py-1 outline-none focus:ring-2 focus:ring-teal-500"></label>
      <label class="flex items-center gap-2"><input type="checkbox" checked class="accent-teal-600"> As a gift</label>
      <ul class="col-span-2 divide-y divide-slate-200"><li class="py-2 odd:bg-slate-50">Brass</li><li class="py-2">Linen</li></ul>
    </form>
    <button class="rounded bg-teal-600 px-4 py-2 text-white hover:bg-teal-700">Order</button>
    <dialog class="m-auto rounded-xl p-6 backdrop:bg-slate-900/50"><p class="text-lg">Order the lamp?</p></dialog>
  </main>`
document.querySelector('button').addEventListener('click', () => document.querySelector('dialog').showModal())
