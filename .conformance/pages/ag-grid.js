import { AllCommunityModule, createGrid, ModuleRegistry } from 'ag-grid-community'

ModuleRegistry.registerModules([AllCommunityModule])
const root = document.querySelector('#root')
root.style.height = '500px'
createGrid(root, {
  animateRows: false,
  columnDefs: [
    { field: 'lamp', filter: true, checkboxSelection: true },
    { field: 'price', sort: 'desc' },
    { field: 'stock', editable: true, flex: 1 },
  ],
  rowData: Array.from({ length: 100 }, (_, number) => ({
    lamp: `Lamp ${number}`,
    price: (number * 37) % 100,
    stock: number % 7,
  })),
})
